import { FILE_LIMITS } from '../protocol/file-limits';
import { bytesIn, ReadError, type Source, viewOf } from './format';
import { inflate } from './inflate';

/** Zip archives with stored or deflated files, as written by NumPy. */

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES] = [30, 46, 22];
/** Longest comment after the directory. */
const MOST_COMMENT = 65_535;
const IN_64_BITS = 0xffffffff;

export async function filesOf(source: Source): Promise<readonly Source[]> {
  const end = await findEnd(source);
  const bytes = await bytesIn(source, end.from, end.to);
  const view = viewOf(bytes);
  const files: Source[] = [];
  let at = 0;
  for (let index = 0; index < end.count; index += 1) {
    const byte = end.from + at;
    if (at + CENTRAL_BYTES > bytes.length || view.getUint32(at, true) !== CENTRAL) {
      throw new ReadError(`the archive's directory is damaged at entry ${index + 1} of ${end.count}`, { byte });
    }
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameLength));
    const short = (offset: number) => view.getUint16(at + offset, true);
    const long = (offset: number) => view.getUint32(at + offset, true);
    const [packed, size] = [long(20), long(24)];
    const entry = { flags: short(8), method: short(10), crc: long(16), packed, size, header: long(42) };
    if (packed === IN_64_BITS || size === IN_64_BITS) {
      throw new ReadError(`${name} is larger than the limit of 4 GiB`, { byte });
    }
    files.push(fileOf(source, name, entry));
    at += CENTRAL_BYTES + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return files;
}

async function findEnd(source: Source) {
  const from = Math.max(source.size - END_BYTES - MOST_COMMENT, 0);
  const tail = await bytesIn(source, from, source.size);
  const view = viewOf(tail);
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== END || at + END_BYTES + view.getUint16(at + 20, true) !== tail.length) continue;
    const count = view.getUint16(at + 10, true);
    const [bytes, start] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    const byte = from + at;
    if (count > FILE_LIMITS.tensors || bytes > FILE_LIMITS.header_bytes) {
      throw new ReadError(`the archive has ${count} files; the limit is ${FILE_LIMITS.tensors}`, { byte });
    }
    if (start + bytes > byte) throw new ReadError("the archive's directory is outside the file", { byte });
    return { count, from: start, to: start + bytes };
  }
  throw new ReadError('the file is truncated: the archive has no end record', { byte: source.size });
}

type Entry = Readonly<Record<'flags' | 'method' | 'crc' | 'packed' | 'size' | 'header', number>>;

function fileOf(source: Source, name: string, { flags, method, crc, packed, size, header }: Entry): Source {
  const locate = async () => {
    if (flags & 1) throw new ReadError(`${name} is encrypted`, { byte: header });
    const bytes = await bytesIn(source, header, Math.min(header + LOCAL_BYTES, source.size));
    const view = viewOf(bytes);
    if (bytes.length < LOCAL_BYTES || view.getUint32(0, true) !== LOCAL) {
      throw new ReadError(`${name} is not at its offset in the archive's directory`, { byte: header });
    }
    const start = header + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
    if (start + packed > source.size) throw new ReadError(`${name} is truncated`, { byte: source.size });
    if (method === 0 ? packed !== size : method !== 8) {
      throw new ReadError(`${name} uses compression method ${method}, which is not supported`, { byte: header });
    }
    return start;
  };
  const bytes = async (from: number, to: number) => {
    const start = await locate();
    // A read up to the end of the file includes all its data, so the checksum is verified.
    const whole = to === size;
    const first = whole ? 0 : from;
    const part =
      method === 0
        ? await bytesIn(source, start + first, start + to)
        : await inflate(source, start, start + packed, to);
    if (whole && crc32(part) !== crc)
      throw new ReadError(`${name} is damaged: its checksum does not match`, { byte: start });
    return part.subarray(method === 0 ? from - first : from);
  };
  return { name, size, bytes };
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** 1 January 1980, the earliest date of the format. Constant, so that equal values give equal files. */
const DATE = 0x21;
const NAMES_IN_UTF8 = 0x800;
const VERSION = 20;

/** Numbers of 16 bits as bytes, on little-endian machines: all that have browsers. */
const wordsOf = (...numbers: readonly number[]) => new Uint8Array(Uint16Array.from(numbers).buffer);
/** A number of 32 bits, or the signature of a header. */
const halves = (value: number) => [value & 0xffff, value >>> 16];

/** An archive of stored files. */
export function writeZip(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Uint8Array {
  const body: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  const sizeOf = (parts: readonly Uint8Array[]) => parts.reduce((sum, { length }) => sum + length, 0);
  for (const { name, bytes } of files) {
    const title = new TextEncoder().encode(name);
    const sizes = [...halves(crc32(bytes)), ...halves(bytes.length), ...halves(bytes.length), title.length, 0];
    const common = [VERSION, NAMES_IN_UTF8, 0, 0, DATE, ...sizes];
    directory.push(wordsOf(...halves(CENTRAL), VERSION, ...common, 0, 0, 0, 0, 0, ...halves(sizeOf(body))), title);
    body.push(wordsOf(...halves(LOCAL), ...common), title, bytes);
  }
  const count = files.length;
  const ends = [...halves(sizeOf(directory)), ...halves(sizeOf(body))];
  const parts = [...body, ...directory, wordsOf(...halves(END), 0, 0, count, count, ...ends, 0)];
  const out = new Uint8Array(sizeOf(parts));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
