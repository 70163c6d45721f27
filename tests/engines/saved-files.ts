/** Reads the format headers of saved files. */

const ascii = (file: Buffer, from: number, to: number): string => file.subarray(from, to).toString('latin1');

/** https://www.w3.org/TR/png-3/ */
export function pngSize(file: Buffer): readonly [number, number] {
  if (ascii(file, 1, 4) !== 'PNG' || ascii(file, 12, 16) !== 'IHDR') throw new Error('not a PNG');
  return [file.readUInt32BE(16), file.readUInt32BE(20)];
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt: the number of frames, and the duration of each in milliseconds. */
export function gifFrameDurations(file: Buffer): readonly number[] {
  if (ascii(file, 0, 6) !== 'GIF89a') throw new Error('not a GIF');
  const colorTableSize = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const times: number[] = [];
  let [at, delay] = [13 + colorTableSize(file[10] ?? 0), 0];
  const skipBlocks = () => {
    while (file[at]) at += 1 + (file[at] ?? 0);
    at += 1;
  };
  while (file[at] !== 0x3b) {
    if (at >= file.length) throw new Error('the GIF is truncated');
    if (file[at] === 0x21) {
      if (file[at + 1] === 0xf9) delay = 10 * file.readUInt16LE(at + 4);
      at += 2;
    } else {
      times.push(delay);
      at += 11 + colorTableSize(file[at + 9] ?? 0);
    }
    skipBlocks();
  }
  return times;
}
