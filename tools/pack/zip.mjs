// Writes zip archives, the form of a wheel.

import { crc32, deflateRawSync } from 'node:zlib';

const Deflated = 8;
const Version = 20;
/** 1 January 1980, the first date of the format: the same files give the same archive. */
const FirstDate = 0x21;
/** A regular file, readable by all and writable by its owner. */
const Permissions = 0o100644;
const Unix = 3;

/** An archive of files, a list of [name, content]. */
export function zipOf(files) {
  const records = [];
  const directory = [];
  let offset = 0;
  for (const [name, content] of files) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(content, { level: 9 });
    const common = numbers(
      [2, 0],
      [2, Deflated],
      [2, 0],
      [2, FirstDate],
      [4, crc32(content)],
      [4, packed.length],
      [4, content.length],
      [2, path.length],
      [2, 0],
    );
    const record = [numbers([4, 0x04034b50], [2, Version]), common, path, packed];
    records.push(...record);
    const place = numbers([2, 0], [2, 0], [2, 0], [4, Permissions * 0x10000], [4, offset]);
    directory.push(numbers([4, 0x02014b50], [2, Unix * 0x100 + Version], [2, Version]), common, place, path);
    offset += size(record);
  }
  const end = [4, size(directory)];
  const closing = numbers([4, 0x06054b50], [4, 0], [2, files.length], [2, files.length], end, [4, offset], [2, 0]);
  return Buffer.concat([...records, ...directory, closing]);
}

const size = (buffers) => buffers.reduce((total, { length }) => total + length, 0);

/** Numbers as [bytes, value], little-endian. */
function numbers(...list) {
  return Buffer.concat(
    list.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
}
