import { crc32, deflateSync } from 'node:zlib';
import type { Plugin } from 'vite';

type Color = readonly [number, number, number];

const PAPER: Color = [0xfb, 0xfa, 0xf7];
const INK: Color = [0x1d, 0x1b, 0x22];
/** The nine cells of public/icon.svg. */
const CELLS: readonly (readonly Color[])[] = [
  [
    [0xc9, 0xc3, 0xe6],
    [0x8d, 0x80, 0xcc],
    [0xf0, 0xe2, 0xd4],
  ],
  [
    [0x8d, 0x80, 0xcc],
    [0x4a, 0x1d, 0x99],
    [0xe0, 0xa8, 0x78],
  ],
  [
    [0xf0, 0xe2, 0xd4],
    [0xe0, 0xa8, 0x78],
    [0xb7, 0x57, 0x08],
  ],
];

/** Size in pixels and share of the cells in it. A maskable icon may be cut to a circle, so its margin is wider. */
const FILES = { 'icon-192.png': [192, 0.75], 'icon-512.png': [512, 0.75], 'icon-maskable.png': [512, 0.5] } as const;

/** Draws public/icon.svg as PNG icons for the installed page. */
export function icons(): Plugin {
  return {
    name: 'icons',
    apply: 'build',
    generateBundle() {
      for (const [fileName, [side, share]] of Object.entries(FILES)) {
        this.emitFile({ type: 'asset', fileName, source: png(side, (row, col) => colorAt(row, col, side, share)) });
      }
    },
  };
}

/** The 3x3 cells in the middle, and the outline of a window around 2x2 of them. */
function colorAt(row: number, col: number, side: number, share: number): Color {
  const cell = (side * share) / 3;
  const from = (side - 3 * cell) / 2;
  const [y, x] = [(row + 0.5 - from) / cell, (col + 0.5 - from) / cell];
  const onOutline = (edge: number) => Math.abs(edge) < 0.16;
  const within = (at: number) => at > -0.16 && at < 2.16;
  if (within(x) && within(y) && [x, x - 2, y, y - 2].some(onOutline)) return INK;
  const gap = [x, y].some((at) => at % 1 < 0.07 || at % 1 > 0.93);
  return (gap ? undefined : CELLS[Math.floor(y)]?.[Math.floor(x)]) ?? PAPER;
}

function png(side: number, colorOf: (row: number, col: number) => Color): Uint8Array {
  const rows = Array.from({ length: side }, (_, row) => [
    0,
    ...Array.from({ length: side }, (_, col) => colorOf(row, col)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // RGB with 8 bits per channel.
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
