import { decode, ELEMENTS, type StoredArray } from './elements';
import {
  bytesIn,
  checkShape,
  countOf,
  type Format,
  fullText,
  type Header,
  opened,
  ReadError,
  readable,
  type Source,
  viewOf,
} from './format';
import { recordIn } from './literal';
import { filesOf, writeZip } from './zip';

/**
 * The .npy format: magic, version, a Python dictionary, the data.
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** Limit in bytes; a header with one type and one shape is much shorter. */
const MOST_HEADER = 65_536;

export const npy: Format = {
  endings: ['.npy'],
  begins: (head) => MAGIC.every((byte, index) => head[index] === byte),
  open: async (source) => opened([await listNpy('', source)]),
};

/** Reads the header of a file; `source` may be an entry of an archive. */
async function listNpy(name: string, source: Source): Promise<Header> {
  const header = await readHeader(source);
  const { stored, start } = header;
  const { shape, element } = stored;
  const end = start + countOf(shape) * element.bytes;
  if (end > source.size) {
    const reason = `${shape.join(' × ')} numbers of ${element.name} need ${end - start} bytes, but only ${source.size - start} follow`;
    throw new ReadError(reason, { byte: start });
  }
  if (end < source.size) {
    const rest = source.size - end === 1 ? '1 extra byte' : `${source.size - end} extra bytes`;
    throw new ReadError(`${rest} after the last number`, { byte: end });
  }
  const read = async () => ({ name, shape, ...decode(await bytesIn(source, start, end), stored) });
  return { name, shape, stored: element.name, read };
}

async function readHeader(source: Source): Promise<{ readonly stored: StoredArray; readonly start: number }> {
  const head = await bytesIn(source, 0, Math.min(source.size, 12));
  if (!npy.begins(head))
    throw new ReadError('this is not a NumPy array: it does not begin with \\x93NUMPY', { byte: 0 });
  const version = head[6] ?? 0;
  if (head.length < 12 || version < 1 || version > 3) {
    throw new ReadError(`version ${version} of the format is not supported, only versions 1 to 3`, { byte: 6 });
  }
  const view = viewOf(head);
  const before = version === 1 ? 10 : 12;
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > MOST_HEADER) throw new ReadError(`a header of ${length} bytes is too long`, { byte: 8 });
  const bytes = await bytesIn(source, before, Math.min(before + length, source.size));
  if (bytes.length < length) throw new ReadError('the file ends within its header', { byte: source.size });
  return { stored: readDictionary(new TextDecoder().decode(bytes), before), start: before + length };
}

function readDictionary(text: string, byte: number): StoredArray {
  const { literals, value } = recordIn(text, () => new ReadError('the header is not a Python dictionary', { byte }));
  const { entries } = value;
  const [descr, order, shape] = [entries.get('descr'), entries.get('fortran_order'), entries.get('shape')];
  if (descr?.kind === 'list')
    throw new ReadError(`${ELEMENTS_ARE} are records of several fields, not numbers`, { byte });
  if (descr?.kind !== 'text' || order?.kind !== 'numbers' || shape?.kind !== 'numbers' || shape.shape.length !== 1) {
    throw new ReadError('the header must contain descr, fortran_order and shape', { byte });
  }
  const sizes = literals.sizes(shape);
  checkShape(sizes, '', { byte });
  return { ...typeOf(descr.text, byte), order: literals.numbers.at(order.from) === 0 ? 'c' : 'fortran', shape: sizes };
}

/** Begins the reason why a valid array has no numbers. */
const ELEMENTS_ARE = 'its elements';

const NO_NUMBERS: Readonly<Record<string, string>> = {
  c: 'complex numbers, which are not supported',
  O: 'Python objects, which are not opened because they can run code',
  S: 'strings, not numbers',
  U: 'strings, not numbers',
  M: 'dates, not numbers',
  m: 'time spans, not numbers',
  V: 'bytes without a type, not numbers',
};
/** NumPy has no bfloat16 and no 8-bit floats: it saves those of ml_dtypes as bytes. */
const AS_BYTES: Readonly<Record<string, string>> = {
  2: 'bytes without a type, as NumPy saves bfloat16: save x.astype(numpy.float32)',
  1: 'bytes without a type, as NumPy saves 8-bit floats: save x.astype(numpy.float32)',
};

/** "<f4", ">i8", "|b1". */
function typeOf(descr: string, byte: number): Pick<StoredArray, 'element' | 'little'> {
  const [, order = '', kind = '', bytes = ''] = /^([<>|=]?)([a-zA-Z?])(\d*)/.exec(descr) ?? [];
  const little = order !== '>';
  const isBool = (kind === 'b' && bytes === '1') || kind === '?';
  const number = /[fiu]/.test(kind) ? `${kind.toUpperCase()}${8 * Number(bytes)}` : '';
  const element = ELEMENTS.get(isBool ? 'BOOL' : number);
  if (element) return { element, little };
  const why = (kind === 'V' && AS_BYTES[bytes]) || NO_NUMBERS[kind] || 'of a type that is not supported';
  throw new ReadError(`${ELEMENTS_ARE} (${descr.slice(0, 20)}) are ${why}`, { byte });
}

/** A .npy file: float32, row-major. */
export function writeNpy(shape: readonly number[], values: Float32Array): Uint8Array {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dictionary = `{'descr': '<f4', 'fortran_order': False, 'shape': (${sizes}), }`;
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

/** The .npz format: named NumPy arrays in a zip archive. */

/** The link of the problem, in an archive of this page. */
const LINK_FILE = 'link.txt';

/** Other zip-based formats, by a file that they contain. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)data\.pkl$/, 'this is a torch.save file. It can run code and is not opened: save with safetensors'],
  [
    /(?:^|\/)model\.weights\.h5$/,
    'this is a Keras model: load it, and save the arrays of model.get_weights() with numpy.savez',
  ],
  [/^xl\//, 'this is a spreadsheet workbook: copy and paste its cells, or save as CSV'],
];

export const npz: Format = {
  endings: ['.npz'],
  begins: (head) => head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5),
  open: async (source) => {
    const files = await filesOf(source);
    const other = OTHERS.find(([pattern]) => files.some(({ name }) => pattern.test(name)));
    if (other) throw new ReadError(other[1]);
    const tensors: Header[] = [];
    const notes: string[] = [];
    const skipped: string[] = [];
    const text = files.find(({ name }) => name === LINK_FILE);
    const link = text ? await fullText(text) : '';
    for (const file of files.filter((one) => one !== text)) {
      if (!file.name.endsWith('.npy')) {
        notes.push(`${file.name} is not a NumPy array and was skipped.`);
        continue;
      }
      const name = file.name.slice(0, -'.npy'.length);
      const tensor = await readable(() => listNpy(name, file));
      if (!('refusal' in tensor)) tensors.push(tensor);
      else if (!tensor.refusal.reason.startsWith(ELEMENTS_ARE))
        throw new ReadError(`${name}: ${tensor.refusal.reason}`);
      else skipped.push(`${name}: ${tensor.refusal.reason}`);
    }
    if (tensors.length === 0) throw new ReadError(skipped[0] ?? 'the archive contains no NumPy arrays');
    return opened(tensors, { notes: [...notes, ...skipped.map((reason) => `${reason}. It was skipped.`)], link });
  },
};

export interface NamedValues {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** A .npz file, as written by numpy.savez. `link`: of the problem, which an import restores. */
export const writeNpz = (tensors: readonly NamedValues[], link = ''): Uint8Array =>
  writeZip([
    ...tensors.map(({ name, shape, values }) => ({ name: `${name}.npy`, bytes: writeNpy(shape, values) })),
    ...(link === '' ? [] : [{ name: LINK_FILE, bytes: new TextEncoder().encode(link) }]),
  ]);
