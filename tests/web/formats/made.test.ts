import { expect, test } from 'vitest';
import { numberAt } from '../../../web/src/formats/number-text';
import { readMade, readString, textOfMade } from './read';

/** What NumPy, PyTorch and Python wrote and said, stored beside the programs that made it (./made). */

interface Said {
  readonly shape: readonly number[];
  readonly values: readonly (number | string)[];
}

const floats = ({ values }: Said) =>
  Float32Array.from(values, (value) => (typeof value === 'string' ? (numberAt(value, 0)?.value ?? 0.123) : value));

const files = JSON.parse(textOfMade('expected.json')) as Record<string, Record<string, Said>>;

test.each(Object.entries(files))('%s opens with every number', async (file, said) => {
  const tensors = await readMade(file);
  expect(tensors).toEqual(
    Object.entries(said).map(([name, tensor]) =>
      expect.objectContaining({ name, shape: tensor.shape, values: floats(tensor) }),
    ),
  );
});

type Prints = Record<string, Said & { readonly text: string }>;
const prints = { ...JSON.parse(textOfMade('prints.json')), ...JSON.parse(textOfMade('prints-torch.json')) } as Prints;

test.each(Object.entries(prints))('what is printed as "%s" is read with every number', async (_, { text, ...said }) => {
  const tensors = await readString(text);
  expect(tensors).toEqual([expect.objectContaining({ shape: said.shape, values: floats(said) })]);
});

test.each([
  ['refused-complex.npy', /byte 10: its elements \(<c16\) are complex numbers/],
  ['refused-objects.npy', /objects of Python, which are never opened/],
  ['refused-records.npy', /records of several fields/],
  ['refused-texts.npy', /texts, not numbers/],
  ['left-out.txt', /^line 1, column 41: numbers were left out/],
])('%s is refused', async (file, sentence) => {
  expect(await readMade(file)).toMatch(sentence);
});

test('what float32 cannot hold is counted', async () => {
  const lossOf = async (file: string) => {
    const tensors = await readMade(file);
    return typeof tensors === 'string' ? tensors : tensors.map(({ loss }) => loss);
  };
  expect(await lossOf('float64.npy')).toEqual([{ rounded: 24, overflowed: 0 }]);
  expect(await lossOf('float32-fortran.npy')).toEqual([{ rounded: 0, overflowed: 0 }]);
  // -2^63 is a float32, 2^63 - 1 is none.
  expect(await lossOf('int-i8.npy')).toEqual([{ rounded: 1, overflowed: 0 }]);
  expect(await lossOf('int-i4.npy')).toEqual([{ rounded: 1, overflowed: 0 }]);
});
