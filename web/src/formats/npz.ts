import { type Format, refuse, type TensorHeader } from './format';
import { opened } from './in-memory';
import { listNpy, writeNpy } from './npy';
import { filesOf, writeZip } from './zip';

/** The .npz format: named NumPy arrays in a zip archive. */

/** Other zip-based formats, by a file that they contain. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)data\.pkl$/, 'this is a torch.save file. It can run code and is not opened: save with safetensors'],
  [/^xl\//, 'this is a spreadsheet workbook: copy and paste its cells, or save as CSV'],
];

export const npz: Format = {
  name: 'archive of NumPy arrays',
  endings: ['.npz'],
  begins: (head) => head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5),
  open: async (source) => {
    const files = await filesOf(source);
    if ('refusal' in files) return files;
    const other = OTHERS.find(([pattern]) => files.some(({ name }) => pattern.test(name)));
    if (other) return refuse(other[1]);
    const tensors: TensorHeader[] = [];
    const notes: string[] = [];
    for (const file of files) {
      if (!file.name.endsWith('.npy')) {
        notes.push(`${file.name} is not a NumPy array and was skipped.`);
        continue;
      }
      const name = file.name.slice(0, -'.npy'.length);
      const tensor = await listNpy(name, file);
      if ('refusal' in tensor) {
        const { reason } = tensor.refusal;
        return refuse(`${name}: ${reason}`);
      }
      tensors.push(tensor);
    }
    return tensors.length === 0 ? refuse('the archive contains no NumPy arrays') : opened(tensors, notes);
  },
};

export interface NamedValues {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** A .npz file, as written by numpy.savez. */
export const writeNpz = (tensors: readonly NamedValues[]): Uint8Array =>
  writeZip(tensors.map(({ name, shape, values }) => ({ name: `${name}.npy`, bytes: writeNpy(shape, values) })));
