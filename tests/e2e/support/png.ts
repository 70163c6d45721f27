import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A PNG file (8-bit RGB, no filter) of `width` x `height` pixels. https://www.w3.org/TR/png-3/ */
export function encodePng(
  width: number,
  height: number,
  colorAt: (row: number, col: number) => readonly [number, number, number],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const lines = Buffer.alloc(height * (1 + 3 * width));
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      lines.set(colorAt(row, col), row * (1 + 3 * width) + 1 + 3 * col);
    }
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'ascii'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

/** A picture, three bytes for each pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Decodes a screenshot: 8-bit RGB or RGBA, not interlaced. Transparency is dropped. */
export function decodePng(png: Buffer): Pixels {
  const [width, height, depth, kind] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]];
  const channels = kind === 2 ? 3 : kind === 6 ? 4 : 0;
  if (depth !== 8 || channels === 0 || png[28] !== 0) throw new Error('not an 8-bit RGB picture');
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('ascii', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const lines = inflateSync(Buffer.concat(parts));
  const stride = channels * width;
  let above: Uint8Array = new Uint8Array(stride);
  const rgb = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row += 1) {
    const from = row * (stride + 1);
    const line = unfiltered(lines[from] ?? 0, lines.subarray(from + 1, from + 1 + stride), above, channels);
    for (let col = 0; col < width; col += 1) {
      rgb.set(line.subarray(channels * col, channels * col + 3), 3 * (row * width + col));
    }
    above = line;
  }
  return { width, height, rgb };
}

/** https://www.w3.org/TR/png-3/#9Filters */
function unfiltered(filter: number, line: Uint8Array, above: Uint8Array, channels: number): Uint8Array {
  const made = new Uint8Array(line.length);
  for (let i = 0; i < line.length; i += 1) {
    const [left, up] = [made[i - channels] ?? 0, above[i] ?? 0];
    const predicted =
      filter === 1
        ? left
        : filter === 2
          ? up
          : filter === 3
            ? (left + up) >> 1
            : filter === 4
              ? paeth(left, up, above[i - channels] ?? 0)
              : 0;
    made[i] = (line[i] ?? 0) + predicted;
  }
  return made;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
