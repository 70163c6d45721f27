import { expect, test } from 'vitest';
import { openText } from '../../../web/src/formats/formats';
import { numberAt } from '../../../web/src/formats/number-text';
import { readMade, readString, textOfMade } from './read';

/** Files and prints of NumPy, PyTorch and Python, stored with the programs that made them (./made). */

interface Said {
  readonly shape: readonly number[];
  readonly values: readonly (number | string)[];
}

const floats = ({ values }: Said) =>
  Float32Array.from(values, (value) => (typeof value === 'string' ? (numberAt(value, 0)?.value ?? 0.123) : value));

const files = JSON.parse(textOfMade('expected.json')) as Record<string, Record<string, Said>>;

test.each(Object.entries(files))('reads every value of %s', async (file, said) => {
  const tensors = await readMade(file);
  expect(tensors).toEqual(
    Object.entries(said).map(([name, tensor]) =>
      expect.objectContaining({ name, shape: tensor.shape, values: floats(tensor) }),
    ),
  );
});

type Prints = Record<string, Said & { readonly text: string }>;
const prints = { ...JSON.parse(textOfMade('prints.json')), ...JSON.parse(textOfMade('prints-torch.json')) } as Prints;

test.each(Object.entries(prints))('reads every value of the print "%s"', async (_, { text, ...said }) => {
  const tensors = await readString(text);
  expect(tensors).toEqual([expect.objectContaining({ shape: said.shape, values: floats(said) })]);
});

test.each([
  ['refused-complex.npy', /byte 10: its elements \(<c16\) are complex numbers/],
  ['refused-objects.npy', /Python objects, which are not opened/],
  ['refused-records.npy', /records of several fields/],
  ['refused-texts.npy', /strings, not numbers/],
  ['left-out.txt', /^line 1, column 41: “…” stands for numbers/],
])('refuses %s', async (file, sentence) => {
  expect(await readMade(file)).toMatch(sentence);
});

test('counts values that float32 cannot represent', async () => {
  const lossOf = async (file: string) => {
    const tensors = await readMade(file);
    return typeof tensors === 'string' ? tensors : tensors.map(({ loss }) => loss);
  };
  expect(await lossOf('float64.npy')).toEqual([{ rounded: 24, overflowed: 0 }]);
  expect(await lossOf('float32-fortran.npy')).toEqual([{ rounded: 0, overflowed: 0 }]);
  // float32 represents -2^63, but not 2^63 - 1.
  expect(await lossOf('int-i8.npy')).toEqual([{ rounded: 1, overflowed: 0 }]);
  expect(await lossOf('int-i4.npy')).toEqual([{ rounded: 1, overflowed: 0 }]);
});

/** Typed by people, or printed by JAX and TensorFlow; expected: the values in Python or Matlab. */
test.each<readonly [text: string, shape: readonly number[], values: readonly number[]]>([
  ['w = -np.array([[1,2,3],[4,5,6]])', [2, 3], [-1, -2, -3, -4, -5, -6]],
  ['x = -tensor([[1, -2],[0, 4]])', [2, 2], [-1, 2, 0, -4]],
  ['x = +np.array([1, 2])', [2], [1, 2]],
  ['x = [-np.float32(1.5), np.float32(2)]', [2], [-1.5, 2]],
  ['x = np.asarray([1, 2], dtype=np.float32)', [2], [1, 2]],
  ['x = torch.nn.Parameter(torch.tensor([1., 2.]))', [2], [1, 2]],
  ['x = torch.FloatTensor([[1, 2]])', [1, 2], [1, 2]],
  ['x = tf.constant([1, 2, 3, 4], shape=(2, 2))', [2, 2], [1, 2, 3, 4]],
  ['Array([[1., 2.]], dtype=float32)', [1, 2], [1, 2]],
  ['<tf.Tensor: shape=(2, 1), dtype=float32, numpy=\narray([[1.],\n       [2.]], dtype=float32)>', [2, 1], [1, 2]],
  ["<tf.Variable 'w:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>", [2], [1, 2]],
  ['<tf.Tensor: shape=(), dtype=float32, numpy=2.0>', [], [2]],
  ['array([], shape=(0, 3), dtype=float64)', [0, 3], []],
  ['[np.float64(1.5), np.float64(-2.0)]', [2], [1.5, -2]],
  // Matlab.
  ['w = [1 2; 3 4];', [2, 2], [1, 2, 3, 4]],
  ['[1, 2, 3;\n 4, 5, 6]', [2, 3], [1, 2, 3, 4, 5, 6]],
  ['[1; -2; 3;]', [3, 1], [1, -2, 3]],
  // Decimal commas, proven by a cell that cannot be a group of thousands.
  ['0,125\t0,250', [1, 2], [0.125, 0.25]],
  ['1,500;2,5', [1, 2], [1.5, 2.5]],
  // Not groups: a table with commas as separators.
  ['1,234\n5,678', [2, 2], [1, 234, 5, 678]],
])('reads %j', async (text, shape, values) => {
  expect(await readString(text)).toEqual([expect.objectContaining({ shape, values: Float32Array.from(values) })]);
});

/** Made by `print(model.state_dict())`, before and since Python 3.12. */
test.each([
  "OrderedDict([('weight', tensor([[[[ 1., -2.]]]])), ('bias', tensor([0.5], dtype=torch.float64)), ('n', tensor(3))])",
  "OrderedDict({'weight': tensor([[[[ 1., -2.]]]]),\n 'bias': tensor([0.5], dtype=torch.float64), 'n': tensor(3)})",
])('reads %j', async (text) => {
  expect(await readString(text)).toEqual([
    expect.objectContaining({ name: 'weight', shape: [1, 1, 1, 2], values: Float32Array.of(1, -2) }),
    expect.objectContaining({ name: 'bias', shape: [1], values: Float32Array.of(0.5) }),
    expect.objectContaining({ name: 'n', shape: [], values: Float32Array.of(3) }),
  ]);
});

test('uses the last value of a name and adds a note', async () => {
  const opened = await openText('x = [[1,2],[3,4]]\nw = [1]\nx = [5, 6]\n[7]\n[8]');
  if ('refusal' in opened) throw new Error(opened.refusal.reason);
  expect(opened.tensors.map(({ name, shape }) => [name, shape])).toEqual([
    ['x', [2]],
    ['w', [1]],
    ['', [1]],
    ['', [1]],
  ]);
  expect(opened.notes).toEqual(['x occurs more than once. The last value is used.']);
});
