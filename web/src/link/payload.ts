/** Numbers as text that may stand in a link: a type, a dot, base64url of little-endian values. */

/** Links beyond some ten thousand characters are cut by mail programs and chats. */
export const MOST_VALUES = 2048;

interface Code {
  readonly name: string;
  readonly bytes: number;
  readonly fits: (value: number) => boolean;
  /** Numbers as integers: those that fit, or the bits of each. */
  readonly whole: (values: Float32Array) => ArrayLike<number>;
  readonly back: (whole: readonly number[]) => Float32Array;
  readonly write: (view: DataView, at: number, whole: number) => void;
  readonly read: (view: DataView, at: number) => number;
}

const AS_THEY_ARE = {
  whole: (values: Float32Array) => values,
  back: (whole: readonly number[]) => Float32Array.from(whole),
};

const isWhole = (value: number, most: number): boolean =>
  Number.isInteger(value) && Math.abs(value) <= most && !Object.is(value, -0);

/** Narrowest first. */
const CODES: readonly Code[] = [
  {
    name: 'i8',
    bytes: 1,
    fits: (value) => isWhole(value, 127),
    ...AS_THEY_ARE,
    write: (view, at, value) => view.setInt8(at, value),
    read: (view, at) => view.getInt8(at),
  },
  {
    name: 'i16',
    bytes: 2,
    fits: (value) => isWhole(value, 32767),
    ...AS_THEY_ARE,
    write: (view, at, value) => view.setInt16(at, value, true),
    read: (view, at) => view.getInt16(at, true),
  },
  {
    name: 'f32',
    bytes: 4,
    fits: () => true,
    // Bits: an engine may write any NaN for another.
    whole: (values) => new Uint32Array(values.buffer, values.byteOffset, values.length),
    back: (whole) => new Float32Array(Uint32Array.from(whole).buffer),
    write: (view, at, bits) => view.setUint32(at, bits, true),
    read: (view, at) => view.getUint32(at, true),
  },
];

export function encodeValues(values: Float32Array): string {
  const code = CODES.find(({ fits }) => values.every(fits));
  if (!code) return '';
  const bytes = new Uint8Array(values.length * code.bytes);
  const view = new DataView(bytes.buffer);
  Array.from(code.whole(values)).forEach((whole, i) => {
    code.write(view, i * code.bytes, whole);
  });
  const base64 = btoa(String.fromCharCode(...bytes));
  return `${code.name}.${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The values, or null when the text is no payload of exactly `count` values. */
export function decodeValues(text: string, count: number): Float32Array | null {
  const dot = text.indexOf('.');
  const code = CODES.find(({ name }) => name === text.slice(0, dot));
  const bytes = code && decodeBase64(text.slice(dot + 1));
  if (!code || !bytes || bytes.length !== count * code.bytes) return null;
  const view = new DataView(bytes.buffer);
  return code.back(Array.from({ length: count }, (_, i) => code.read(view, i * code.bytes)));
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
