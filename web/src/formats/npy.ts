import { shapeError } from './check-shape';
import { decode, ELEMENTS, type Element, type StoredArray } from './elements';
import { countOf, type Format, type Refused, refuse, type Source, type TensorHeader } from './format';
import { bytesOf, opened } from './in-memory';
import { Literals } from './literal';

/**
 * The .npy format: magic, version, a Python dictionary, the data.
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** Limit in bytes; a header with one type and one shape is much shorter. */
const MOST_HEADER = 65_536;

export const npy: Format = {
  name: 'NumPy array',
  endings: ['.npy'],
  begins: (head) => MAGIC.every((byte, index) => head[index] === byte),
  open: async (source) => {
    const tensor = await listNpy('', source);
    return 'refusal' in tensor ? tensor : opened([tensor]);
  },
};

/** Reads the header of a file; `source` may be an entry of an archive. */
export async function listNpy(name: string, source: Source): Promise<TensorHeader | Refused> {
  const header = await readHeader(source);
  if ('refusal' in header) return header;
  const { stored, start } = header;
  const { shape, element, order } = stored;
  const end = start + countOf(shape) * element.bytes;
  if (end > source.size) {
    const reason = `${shape.join(' × ')} numbers of ${element.name} need ${end - start} bytes, but only ${source.size - start} follow`;
    return refuse(reason, { byte: start });
  }
  if (end < source.size) {
    const rest = source.size - end === 1 ? '1 extra byte' : `${source.size - end} extra bytes`;
    return refuse(`${rest} after the last number`, { byte: end });
  }
  const read = async () => {
    const bytes = await bytesOf(source, start, end);
    return 'refusal' in bytes ? bytes : { name, shape, ...decode(bytes, stored) };
  };
  return { name, shape, stored: element.name, order, read };
}

async function readHeader(source: Source): Promise<{ readonly stored: StoredArray; readonly start: number } | Refused> {
  const head = await bytesOf(source, 0, Math.min(source.size, 12));
  if ('refusal' in head) return head;
  if (!npy.begins(head)) return refuse('this is not a NumPy array: it does not begin with \\x93NUMPY', { byte: 0 });
  const version = head[6] ?? 0;
  if (head.length < 12 || version < 1 || version > 3) {
    return refuse(`version ${version} of the format is not supported, only versions 1 to 3`, { byte: 6 });
  }
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const before = version === 1 ? 10 : 12;
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > MOST_HEADER) return refuse(`a header of ${length} bytes is too long`, { byte: 8 });
  const bytes = await bytesOf(source, before, Math.min(before + length, source.size));
  if ('refusal' in bytes) return bytes;
  if (bytes.length < length) return refuse('the file ends within its header', { byte: source.size });
  const stored = readDictionary(new TextDecoder().decode(bytes), before);
  return 'refusal' in stored ? stored : { stored, start: before + length };
}

function readDictionary(text: string, byte: number): StoredArray | Refused {
  const literals = new Literals(text);
  const value = literals.literal();
  if (value?.kind !== 'record') return refuse('the header is not a Python dictionary', { byte });
  const { entries } = value;
  const [descr, order, shape] = [entries.get('descr'), entries.get('fortran_order'), entries.get('shape')];
  if (descr?.kind === 'list') return refuse('its elements are records of several fields, not numbers', { byte });
  if (descr?.kind !== 'text' || order?.kind !== 'numbers' || shape?.kind !== 'numbers' || shape.shape.length !== 1) {
    return refuse('the header must contain descr, fortran_order and shape', { byte });
  }
  const sizes = Array.from({ length: shape.to - shape.from }, (_, axis) => literals.numbers.at(shape.from + axis));
  const fault = shapeError(sizes);
  if (fault) return refuse(fault, { byte });
  const type = typeOf(descr.text);
  if ('refusal' in type) return refuse(type.refusal.reason, { byte });
  return { ...type, order: literals.numbers.at(order.from) === 0 ? 'c' : 'fortran', shape: sizes };
}

const KINDS: Readonly<Record<string, string>> = { f: 'float', i: 'int', u: 'uint' };
const NO_NUMBERS: Readonly<Record<string, string>> = {
  c: 'complex numbers, which are not supported',
  O: 'Python objects, which are not opened because they can run code',
  S: 'strings, not numbers',
  U: 'strings, not numbers',
  M: 'dates, not numbers',
  m: 'time spans, not numbers',
  V: 'bytes without a type, not numbers',
};

/** "<f4", ">i8", "|b1". */
function typeOf(descr: string): { readonly element: Element; readonly little: boolean } | Refused {
  const [, order = '', kind = '', bytes = ''] = /^([<>|=]?)([a-zA-Z?])(\d*)/.exec(descr) ?? [];
  const little = order !== '>';
  if ((kind === 'b' && bytes === '1') || kind === '?') return { element: ELEMENTS.bool, little };
  const name = `${KINDS[kind] ?? ''}${8 * Number(bytes)}`;
  const element = Object.values(ELEMENTS).find((candidate) => candidate.name === name);
  if (element) return { element, little };
  return refuse(`its elements (${descr.slice(0, 20)}) are ${NO_NUMBERS[kind] ?? 'of a type that is not supported'}`);
}

const TYPE = '<f4';

/** A .npy file: float32, row-major. */
export function writeNpy(shape: readonly number[], values: Float32Array): Uint8Array {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dictionary = `{'descr': '${TYPE}', 'fortran_order': False, 'shape': (${sizes}), }`;
  // The data begins at a multiple of 64 bytes; the header ends with a newline.
  const length = Math.ceil((10 + dictionary.length + 1) / 64) * 64 - 10;
  const bytes = new Uint8Array(10 + length + values.length * 4);
  const view = new DataView(bytes.buffer);
  bytes.set([...MAGIC, 1, 0]);
  view.setUint16(8, length, true);
  bytes.set(new TextEncoder().encode(`${dictionary.padEnd(length - 1)}\n`), 10);
  for (const [index, value] of values.entries()) view.setFloat32(10 + length + index * 4, value, true);
  return bytes;
}
