import { type Format, type Listed, refuse } from './format';
import { opened } from './in-memory';
import { listNpy, writeNpy } from './npy';
import { filesOf, writeZip } from './zip';

/** Several NumPy arrays in one archive, by their names. */

/** Archives that other programs make, by a file that they have. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [
    /(?:^|\/)data\.pkl$/,
    'this is a file of torch.save, which holds a program that is never run here: save with safetensors',
  ],
  [/^xl\//, 'this is a workbook of a spreadsheet: copy its cells and paste them, or save as CSV'],
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
    const tensors: Listed[] = [];
    const notes: string[] = [];
    for (const file of files) {
      if (!file.name.endsWith('.npy')) {
        notes.push(`${file.name} is no NumPy array and was left out.`);
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
    return tensors.length === 0 ? refuse('no NumPy arrays are in this archive') : opened(tensors, notes);
  },
};

export interface NamedValues {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** Bytes that numpy.load reads, as numpy.savez writes them. */
export const writeNpz = (tensors: readonly NamedValues[]): Uint8Array =>
  writeZip(tensors.map(({ name, shape, values }) => ({ name: `${name}.npy`, bytes: writeNpy(shape, values) })));
