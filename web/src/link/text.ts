import type { GridName, Hidden } from '../protocol/problem';
import { parseCount } from '../sources/exact-text';
import type { Unpack } from './field';

/** Lone surrogates cannot be encoded: they become U+FFFD. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

export const encoded = (text: string): string => encodeURIComponent(wellFormed(text));

/** Inverse of `encoded`; null if the text is not valid. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** A name before a separator: "~" and "," in it are escaped. */
export const nameText = (name: string): string =>
  encoded(name.replace(/[%~,]/g, (char) => `%${char.charCodeAt(0).toString(16)}`));

/** Inverse of `nameText`, after the field was decoded once. */
export const parseName = (text: string): string => decoded(text) ?? text;

/**
 * Typed text for a message: shortened, control characters replaced. The first undefined character of a damaged link
 * made a browser search all fonts for 450 ms.
 */
export const shortened = (text: string): string =>
  (text.length > 40 ? `${text.slice(0, 39)}…` : text).replace(/\p{C}/gu, '\ufffd');

export const quoted = (text: string): string => `"${shortened(text)}"`;

/** The type makes it complete: a grid name that is missing here does not compile. */
const GRIDS: Readonly<Record<GridName, true>> = {
  ...{ x: true, w: true, b: true, y: true, dy: true, dx: true, dw: true, db: true },
  ...{ x_padded: true, x_col: true, w_col: true, y_col: true, dy_col: true, dx_col: true, dw_col: true },
  ...{ dy_upsampled: true, dy_extended: true, dy_inserted: true, w_exchanged: true, w_flipped: true },
  ...{ dx_padded: true, dw_uncropped: true, dw_per_image: true, C: true },
};

/** Grids with another name in links. words-ok: links keep old names */
const LINK_NAMES: Partial<Readonly<Record<GridName, string>>> = { dy_upsampled: 'dy_spread', w_flipped: 'w_turned' };

const isGrid = (name: string): name is GridName => Object.hasOwn(GRIDS, name);

/** "y.12", or "y" for all of its cells. */
export const cellText = ({ tensor, index }: Hidden): string =>
  `${LINK_NAMES[tensor as GridName] ?? tensor}${index === null ? '' : `.${index}`}`;

export function parseCell(text: string): (Hidden & { readonly tensor: GridName }) | null {
  const [written = '', number] = text.split('.', 2);
  const tensor = Object.entries(LINK_NAMES).find(([, name]) => name === written)?.[0] ?? written;
  const index = number === undefined ? null : parseCount(number);
  if (!isGrid(tensor) || text.split('.').length > 2 || (number !== undefined && index === null)) return null;
  return { tensor, index };
}

/**
 * Values as text for a link: a type, a dot, base64url of little-endian values. A "z" after the type means compressed:
 * the first bytes of all values, then the second bytes, and so on.
 */

/** Limit for the address, which is written at every change: many programs cut links beyond about 10,000 characters. */
export const MOST_VALUES = 2048;

interface Code {
  readonly name: string;
  /** Little-endian, as every machine that runs the page. */
  readonly Type: typeof Int8Array | typeof Int16Array | typeof Float32Array;
  readonly fits: (value: number) => boolean;
}

const isWhole = (value: number, most: number): boolean =>
  Number.isInteger(value) && Math.abs(value) <= most && !Object.is(value, -0);

/** Narrowest first. */
const CODES: readonly Code[] = [
  { name: 'i8', Type: Int8Array, fits: (value) => isWhole(value, 127) },
  { name: 'i16', Type: Int16Array, fits: (value) => isWhole(value, 32767) },
  { name: 'f32', Type: Float32Array, fits: () => true },
];

/** A copy of float32 values by Float32Array keeps the bits of each NaN. */
function written(values: Float32Array): { readonly code: Code; readonly bytes: Uint8Array<ArrayBuffer> } {
  const code = CODES.find(({ fits }) => values.every(fits)) as Code;
  return { code, bytes: new Uint8Array(new code.Type(values).buffer) };
}

export function encodeValues(values: Float32Array): string {
  const { code, bytes } = written(values);
  return `${code.name}.${encodeBase64(bytes)}`;
}

/**
 * Bytes in the order of compression: bytes at the same position of a value are similar and compress better together.
 */
export function planes(values: Float32Array): { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> } {
  const { code, bytes } = written(values);
  return { name: code.name, bytes: transposed(bytes, values.length, code.Type.BYTES_PER_ELEMENT) };
}

function transposed(bytes: Uint8Array, rows: number, cols: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes.length);
  for (let row = 0; row < rows; row += 1)
    for (let col = 0; col < cols; col += 1) out[col * rows + row] = bytes[row * cols + col] ?? 0;
  return out;
}

/** The values, or null if the text does not hold exactly `count` values. */
export function decodeValues(text: string, count: number, unpack: Unpack = () => null): Float32Array | null {
  const dot = text.indexOf('.');
  const isPacked = text[dot - 1] === 'z';
  const code = CODES.find(({ name }) => name === text.slice(0, isPacked ? dot - 1 : dot));
  if (!code) return null;
  const width = code.Type.BYTES_PER_ELEMENT;
  const body = text.slice(dot + 1);
  const found = isPacked ? unpack(body, count * width) : decodeBase64(body);
  if (found?.length !== count * width) return null;
  const bytes = isPacked ? transposed(found, width, count) : found.slice();
  return new Float32Array(new code.Type(bytes.buffer));
}

/** Bytes converted in one call. */
const CHUNK = 2 ** 15;

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

/** base64url */
export const encodeBase64 = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
