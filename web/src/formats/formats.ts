import { FILE_LIMITS } from '../protocol/file-limits';
import {
  bytesIn,
  type Contents,
  type FileContents,
  type Format,
  NOT_TEXT,
  opened,
  ReadError,
  type Refused,
  readable,
  refusalText,
  type Source,
  textFormat,
} from './format';
import { npy, npz } from './npy';
import { safetensors } from './safetensors';
import { readJson, readText } from './text';

const json = textFormat(['.json'], readJson);
const text = textFormat(['.csv', '.tsv', '.txt', '.py'], readText);

const FORMATS: readonly Format[] = [npy, npz, safetensors, json, text];

/** Formats that are not supported, by their first bytes. */
const OTHERS: readonly (readonly [readonly number[], string])[] = [
  [[0x89, 0x50, 0x4e, 0x47], 'this is an image (PNG), not an array'],
  [[0xff, 0xd8, 0xff], 'this is an image (JPEG), not an array'],
  [[0x47, 0x49, 0x46, 0x38], 'this is an image (GIF), not an array'],
  [[0x25, 0x50, 0x44, 0x46], 'this is a PDF document, not an array'],
  [[0x89, 0x48, 0x44, 0x46], 'this is an HDF5 file: save its arrays with numpy.savez'],
  [[0x1f, 0x8b], 'this file is compressed with gzip: unpack it first'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'this is a spreadsheet workbook: copy and paste its cells, or save as CSV'],
  [[0x80], 'this is a Python pickle. It can run code and is not opened: save with numpy.savez or safetensors'],
];

/** Formats that are not supported, by the end of their names. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  '.onnx': 'this is an ONNX model: save its arrays, such as numpy_helper.to_array(initializer), with numpy.savez',
  '.mat': 'this is a MATLAB file: paste jsonencode(w), or load it with scipy.io.loadmat and save with numpy.savez',
  '.tflite': 'this is a TensorFlow Lite model: save the arrays of interpreter.get_tensor with numpy.savez',
  '.pb': 'this is a TensorFlow graph: save its arrays with numpy.savez',
  '.gguf': 'this is a GGUF file: save its arrays with numpy.savez or safetensors',
};
/** Endings of bytes, and sometimes of text. */
const IS_BYTES = /\.(?:bin|raw|dat|data)$/;
const BYTES = 'this file has bytes without sizes and types: save its arrays as .npy or .safetensors';

export const openText = (pasted: string) => contentsOf(() => readText(pasted));
export const openFile = (source: Source) => contentsOf(() => openNamed(source));

async function contentsOf(open: () => Contents | Promise<Contents>): Promise<FileContents | Refused> {
  const found = await readable(open);
  if ('refusal' in found) return found;
  return { ...found, tensors: found.tensors.map((tensor) => ({ ...tensor, read: () => readable(tensor.read) })) };
}

/** Opens several files as one. */
export const openFiles = (sources: readonly Source[]) =>
  contentsOf(async () => {
    const [first, ...others] = sources;
    if (first && others.length === 0) return openNamed(first);
    const all: Contents[] = [];
    for (const source of sources) {
      const found = await readable(() => openNamed(source));
      if ('refusal' in found) throw new ReadError(`${source.name}: ${refusalText(found.refusal)}`);
      all.push(found);
    }
    const tensors = all.flatMap((one) => one.tensors);
    if (tensors.length > FILE_LIMITS.tensors) {
      throw new ReadError(`they contain more than ${FILE_LIMITS.tensors} tensors, which is the limit`);
    }
    return opened(tensors, {
      notes: all.flatMap(({ notes }) => notes),
      given: all.flatMap(({ given }) => given),
    });
  });

/** An array without a name that is alone in its file gets the name of the file. */
async function openNamed(source: Source): Promise<Contents> {
  const found = await openAny(source);
  const [only, ...others] = found.tensors;
  if (!only || only.name || others.length > 0) return found;
  return { ...found, tensors: [{ ...only, name: source.name.replace(/\.[^.]*$/, '') }] };
}

/** Chooses the format by the first bytes, then by the name; the default is text. */
async function openAny(source: Source): Promise<Contents> {
  if (source.size === 0) throw new ReadError('the file is empty');
  const head = await bytesIn(source, 0, Math.min(source.size, 16));
  const begun = FORMATS.find(({ begins }) => begins(head));
  if (begun) return begun.open(source);
  const ending = source.name.toLowerCase();
  const named = FORMATS.find(({ endings }) => endings.some((one) => ending.endsWith(one)));
  const other = OTHERS.find(([magic]) => magic.every((byte, index) => head[index] === byte));
  if (other) throw new ReadError(other[1], { byte: 0 });
  if (named) return named.open(source);
  const found = await readable(() => text.open(source));
  if (!('refusal' in found)) return found;
  const { reason, position } = found.refusal;
  const [, unknown] = Object.entries(OTHER_NAMES).find(([end]) => ending.endsWith(end)) ?? [];
  if (unknown) throw new ReadError(unknown, { byte: 0 });
  if (IS_BYTES.test(ending) && reason === NOT_TEXT) throw new ReadError(BYTES, { byte: 0 });
  throw new ReadError(reason, position);
}
