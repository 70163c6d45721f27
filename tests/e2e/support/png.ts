import { crc32, deflateSync } from 'node:zlib';

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
