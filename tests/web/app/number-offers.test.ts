import { expect, test } from 'vitest';
import { firstValues, guess, isUseful, offersOf, sizesOf } from '../../../web/src/app/numbers/ArrayChoice';
import type { FileContents, TensorHeader } from '../../../web/src/formats/format';
import { readJson } from '../../../web/src/formats/json';
import { readText } from '../../../web/src/formats/text';
import { openingProblem } from '../../../web/src/state/problem';
import { editNumbers } from '../../../web/src/state/value-edits';

const { desc } = openingProblem();
const opened = (...shapes: readonly (readonly [string, ...number[]])[]): FileContents => ({
  tensors: shapes.map(([name, ...shape]) => ({ name, shape }) as unknown as TensorHeader),
  notes: [],
  desc: null,
  link: '',
});

test('guesses targets from names, else from sizes', () => {
  expect(guess(opened(['conv1.bias', 8], ['conv1.weight', 8, 3, 3, 3]), desc)).toMatchObject({
    b: { tensor: 0 },
    w: { tensor: 1 },
  });
  expect(guess(opened(['', 3, 3]), desc)).toEqual({ w: { tensor: 0, reading: null } });
  expect(guess(opened(['', 5, 5]), desc)).toEqual({ x: { tensor: 0, reading: null } });
  expect(guess(opened(['', 9, 7]), desc)).toEqual({ x: { tensor: 0, reading: null } });
});

test('derives channels from weights, and groups from weights and x', () => {
  const layer = opened(['weight', 8, 3, 3, 3]);
  // The PyTorch name, with the filters first.
  const alone = offersOf(layer, guess(layer, desc), desc);
  expect(alone.tensors.w?.reading?.axes).toBe('OIHW');
  expect(alone.desc).toMatchObject({ kh: 3, kw: 3, k: 8, c: 3, groups: 1 });
  const both = opened(['x', 1, 6, 6, 4], ['w', 3, 3, 2, 8], ['dy', 1, 4, 4, 8]);
  const offers = offersOf(both, guess(both, desc), desc);
  expect(offers.desc).toMatchObject({ h: 6, w: 6, c: 4, k: 8, groups: 2 });
  // The readings of dy follow from the new sizes.
  expect(offers.tensors.dy?.reading).toMatchObject({ axes: 'NHWC', fits: true });
});

test('imports values and sizes in one edit', async () => {
  const read = readText('x = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]\nw = [[1, 0], [0, -1]]\nb = [5]');
  if ('refusal' in read) throw new Error(read.refusal.reason);
  const offers = offersOf(read, guess(read, desc), desc);
  const edited = editNumbers(openingProblem(), {
    desc: offers.desc,
    name: 'mine.npz',
    tensors: {
      x: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
      w: Float32Array.of(1, 0, 0, -1),
      b: Float32Array.of(5),
      dy: Float32Array.of(1, 2, 3, 4),
    },
  });
  if ('error' in edited) throw new Error(edited.error.message);
  const { x, w, b, dy } = edited.problem;
  expect(edited.problem.desc).toMatchObject({ h: 3, w: 3, kh: 2, kw: 2 });
  expect([x.data, w.data, b?.data]).toEqual([
    Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
    Float32Array.of(1, 0, 0, -1),
    Float32Array.of(5),
  ]);
  expect(dy.kind).toBe('values');
  for (const tensor of [x, w, b])
    expect(tensor).toMatchObject({ source: { kind: 'brought', name: 'mine.npz' }, edited: false });
});

test('refuses a wrong number of values', () => {
  expect(editNumbers(openingProblem(), { desc: {}, name: '', tensors: { w: new Float32Array(4) } })).toMatchObject({
    error: { field: 'w', message: 'w has 9 cells, but the import has 4 values' },
  });
  expect(editNumbers(openingProblem(), { desc: {}, name: '', tensors: { dy: new Float32Array(4) } })).toMatchObject({
    error: { field: 'dy' },
  });
  expect(editNumbers(openingProblem(), { desc: { kh: 99 }, name: '', tensors: {} })).toMatchObject({
    error: { field: 'kh' },
  });
});

test('a case file in another layout sets the layout and keeps the order of its values', async () => {
  const text = `{"layout": "NCHW", "x_shape": [1, 2, 2, 3], "w_shape": [1, 2, 2, 2], "y_shape": [1, 1, 1, 2], "stride": [1, 1],
    "padding": "VALID", "pads": [0, 0, 0, 0], "dilation": [1, 1], "groups": 1, "b": null,
    "x": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "w": [1, 2, 3, 4, 5, 6, 7, 8], "dy": [9, 8], "y": [1, 2]}`;
  const read = readJson(text);
  if ('refusal' in read) throw new Error(read.refusal.reason);
  expect(desc.layout).toBe('nhwc');
  const offers = offersOf(read, guess(read, desc), desc);
  for (const name of ['x', 'w', 'dy', 'y'] as const) {
    const { reading, order } = offers.tensors[name] ?? {};
    expect([reading?.axes, reading?.fits], name).toEqual([order, true]);
    expect(order).toBe(name === 'w' ? 'OIHW' : 'NCHW');
  }
  const [x, w] = [Float32Array.from({ length: 12 }, (_, i) => i), Float32Array.from({ length: 8 }, (_, i) => i + 1)];
  const edited = editNumbers(openingProblem(), {
    desc: offers.desc,
    name: '',
    tensors: { x, w, dy: Float32Array.of(9, 8) },
  });
  if ('error' in edited) throw new Error(edited.error.message);
  expect(edited.problem.desc).toMatchObject({ layout: 'nchw', h: 2, w: 3, c: 2, k: 1, kh: 2, kw: 2 });
  expect(edited.problem.x).toMatchObject({ shape: [1, 2, 2, 3], data: x });
  expect(edited.problem.w).toMatchObject({ shape: [1, 2, 2, 2], data: w });
});

test('of two fitting axis orders, the name decides: PyTorch has the filters first, Keras last', () => {
  const square = { ...desc, c: 3, k: 3, kh: 3, kw: 3, h: 9, w: 9 };
  const axesOf = (name: string) => {
    const one = opened([name, 3, 3, 3, 3]);
    return offersOf(one, guess(one, square), square).tensors.w?.reading?.axes;
  };
  expect(['conv1.weight', 'features.0.weight', 'weight', 'conv2d/kernel:0', 'w'].map(axesOf)).toEqual([
    ...['OIHW', 'OIHW', 'OIHW', 'HWIO', 'HWIO'],
  ]);
});

test('refuses an array with five axes', () => {
  const sizes = sizesOf(desc);
  expect(isUseful(opened(['a', 1, 1, 1, 2, 2]), sizes)).toBe(false);
  expect(isUseful(opened(['a', 1, 1, 1, 2, 2], ['b', 2, 2]), sizes)).toBe(true);
});

test('describes the first values in sentences', () => {
  const said = (values: readonly number[], overflowed = 0) =>
    firstValues({ name: '', shape: [], values: Float32Array.from(values), loss: { rounded: overflowed, overflowed } });
  expect(said([])).toBe('No values.');
  expect(said([1, 2])).toBe('First values: 1, 2.');
  expect(said([1, 1e300], 1)).toMatch(/ 1 is too large for float32 and becomes infinite\.$/);
  expect(said([1e300, 1e300], 2)).toMatch(/ 2 are too large for float32 and become infinite\.$/);
});
