import { expect, test } from 'vitest';
import { firstValues } from '../../../web/src/app/numbers/ImportInputs';
import { tooLarge } from '../../../web/src/app/numbers/ImportSheet';
import { guessed, inputChoices, inputsImport } from '../../../web/src/app/numbers/import-inputs';
import type { FileContents } from '../../../web/src/formats/format';
import { wordOf } from '../../../web/src/sources/loss';
import { openingProblem } from '../../../web/src/state/problem';
import { editNumbers } from '../../../web/src/state/value-edits';
import { judge } from '../../../web/src/worker/judge';
import { layerOf, partsOf } from '../support/problems';

const { desc } = layerOf(openingProblem());

const opened = (...shapes: readonly (readonly [string, ...number[]])[]): FileContents => ({
  tensors: shapes.map(([name, ...shape]) => ({
    name,
    shape,
    stored: 'float32',
    read: () => Promise.reject(new Error()),
  })),
  ...{ notes: [], desc: null, given: [], link: '' },
});

/** The import of a file without results, as the library reads it. */
async function importOf(contents: FileContents, before = desc) {
  const arrays = contents.tensors.map(({ name, shape }) => {
    const count = shape.reduce((product, size) => product * size, 1);
    return { name: name || 'array 1', shape, values: new Float32Array(count).fill(1), is_text: false };
  });
  const { inputs } = await judge({ arrays, given: [], options: {} });
  const choices = inputs ? inputChoices(inputs) : guessed(contents, before);
  return inputsImport(contents, choices, before, inputs);
}

/** The array of each input, by its index, and how its axes are read. */
const readingsOf = ({ offers }: Awaited<ReturnType<typeof importOf>>) =>
  Object.fromEntries(Object.entries(offers).map(([name, { tensor, reading }]) => [name, `${tensor} ${reading?.axes}`]));

test('finds the inputs by their names, and a single one without a name by its sizes', async () => {
  expect(readingsOf(await importOf(opened(['conv1.bias', 8], ['conv1.weight', 8, 3, 3, 3])))).toEqual({
    ...{ w: '1 OIHW', b: '0 O' },
  });
  const small = { ...desc, h: 5, w: 5, kh: 3, kw: 3 };
  expect(readingsOf(await importOf(opened(['', 3, 3]), small))).toEqual({ w: '0 HW' });
  expect(readingsOf(await importOf(opened(['', 5, 5]), small))).toEqual({ x: '0 HW' });
  expect(readingsOf(await importOf(opened(['', 9, 7]), small))).toEqual({ x: '0 HW' });
});

test('of several layers, takes all arrays from one', async () => {
  const model = opened(['bn.weight', 4], ['bn.bias', 4], ['conv.bias', 6], ['conv.weight', 6, 4, 3, 3]);
  expect(readingsOf(await importOf(model))).toEqual({ w: '3 OIHW', b: '2 O' });
});

test('derives channels from weights, groups from weights and x, and the geometry from dy', async () => {
  const alone = await importOf(opened(['weight', 8, 3, 3, 3]));
  expect(alone.desc).toMatchObject({ kh: 3, kw: 3, k: 8, c: 3, groups: 1 });
  const both = await importOf(opened(['x', 1, 6, 6, 4], ['w', 3, 3, 2, 8], ['dy', 1, 4, 4, 8]));
  expect(both.desc).toMatchObject({ layout: 'nhwc', h: 6, w: 6, c: 4, k: 8, groups: 2, stride_h: 1 });
  expect(both.offers.dy?.reading).toMatchObject({ axes: 'NHWC', fits: true });
});

test('keeps the stride and the padding of the page without dy', async () => {
  const before = { ...desc, stride_h: 2, stride_w: 2 };
  expect((await importOf(opened(['x', 1, 1, 9, 9], ['w', 1, 1, 2, 2]), before)).desc).toMatchObject({
    ...{ h: 9, kh: 2, stride_h: 2 },
  });
});

test('an array that does not fit has no reading', async () => {
  const { offers } = await importOf(opened(['x', 1, 1, 9, 9], ['w', 4, 1, 3, 3], ['b', 7]));
  expect(offers.b?.reading ?? null).toBeNull();
});

test('imports values and sizes in one edit', () => {
  const edited = editNumbers(openingProblem(), 0, {
    desc: { h: 3, w: 3, kh: 2, kw: 2 },
    name: 'mine.npz',
    tensors: {
      x: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
      w: Float32Array.of(1, 0, 0, -1),
      b: Float32Array.of(5),
      dy: Float32Array.of(1, 2, 3, 4),
    },
  });
  if ('error' in edited) throw new Error(edited.error.message);
  const { x, w, b, loss } = partsOf(edited.problem);
  expect([x.data, w.data, b?.data]).toEqual([
    Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
    Float32Array.of(1, 0, 0, -1),
    Float32Array.of(5),
  ]);
  expect(wordOf(loss)).toBe('values');
  for (const tensor of [x, w, b])
    expect(tensor).toMatchObject({ source: { kind: 'brought', name: 'mine.npz' }, edited: false });
});

test('refuses a wrong number of values', () => {
  expect(editNumbers(openingProblem(), 0, { desc: {}, name: '', tensors: { w: new Float32Array(4) } })).toMatchObject({
    error: { field: 'w', message: 'w has 9 cells, but the import has 4 values' },
  });
  expect(editNumbers(openingProblem(), 0, { desc: {}, name: '', tensors: { dy: new Float32Array(4) } })).toMatchObject({
    error: { field: 'dy' },
  });
  expect(editNumbers(openingProblem(), 0, { desc: { kh: 99 }, name: '', tensors: {} })).toMatchObject({
    error: { field: 'kh' },
  });
});

test('removes the bias if asked', () => {
  const edited = editNumbers(openingProblem(), 0, { desc: {}, name: '', tensors: { b: Float32Array.of(3) } });
  if ('error' in edited) throw new Error(edited.error.message);
  expect(layerOf(edited.problem).b?.data).toEqual(Float32Array.of(3));
  const without = editNumbers(edited.problem, 0, { desc: {}, name: '', tensors: {}, removesBias: true });
  expect('problem' in without && layerOf(without.problem).b).toBeNull();
});

test('describes the first values in sentences', () => {
  const said = (values: readonly number[], overflowed = 0) =>
    firstValues({ name: '', shape: [], values: Float32Array.from(values), loss: { rounded: overflowed, overflowed } });
  expect(said([])).toBe('No values.');
  expect(said([1, 2])).toBe('First values: 1, 2.');
  expect(said([1, 1e300], 1)).toMatch(/ 1 is too large for float32 and becomes infinite\.$/);
  expect(said([1e300, 1e300], 2)).toMatch(/ 2 are too large for float32 and become infinite\.$/);
});

test('arrays of more than 33 million numbers are not checked', () => {
  expect(tooLarge(opened(['x', 2 ** 24], ['w', 2 ** 24]))).toBeNull();
  expect(tooLarge(opened(['x', 2 ** 24], ['w', 2 ** 24], ['b', 2 ** 23]))).toBe(
    'These arrays have 41.9 million numbers. The page checks up to 33.6 million numbers: save one layer, or fewer images (x[:1]).',
  );
});
