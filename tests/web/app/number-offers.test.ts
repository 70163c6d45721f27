import { expect, test } from 'vitest';
import { firstValues } from '../../../web/src/app/numbers/ArrayChoice';
import { targetOf } from '../../../web/src/app/numbers/assign';
import type { TensorChoices } from '../../../web/src/app/numbers/offers';
import { solutionsOf } from '../../../web/src/app/numbers/solve';
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
  given: {},
  link: '',
});

/** The likeliest solution. */
function solved(contents: FileContents, before = desc, chosen: TensorChoices = {}) {
  const [solution] = solutionsOf(contents, chosen, before);
  if (!solution) throw new Error('there is always a solution');
  return solution;
}
/** The array of each tensor, by its index. */
const arraysOf = (contents: FileContents, chosen?: TensorChoices) =>
  Object.fromEntries(
    Object.entries(solved(contents, desc, chosen).offers).map(([target, { tensor }]) => [target, tensor]),
  );

test('finds the tensors by their names, else by their sizes', () => {
  expect(arraysOf(opened(['conv1.bias', 8], ['conv1.weight', 8, 3, 3, 3]))).toEqual({ b: 0, w: 1 });
  expect(arraysOf(opened(['', 3, 3]))).toEqual({ w: 0 });
  expect(arraysOf(opened(['', 5, 5]))).toEqual({ x: 0 });
  expect(arraysOf(opened(['', 9, 7]))).toEqual({ x: 0 });
  // As numpy.savez(file, w, x, dw, b, y, db) names them.
  const shapes = [[6, 3, 3, 3], [1, 3, 8, 9], [6, 3, 3, 3], [6], [1, 6, 8, 9], [6]] as const;
  expect(arraysOf(opened(...shapes.map((shape, i) => [`arr_${i}`, ...shape] as const)))).toEqual({
    ...{ w: 0, x: 1, dw: 2, b: 3, y: 4, db: 5 },
  });
  // An output with the shape of the input.
  expect(arraysOf(opened(['', 1, 2, 5, 6], ['', 2, 2, 3, 3], ['', 1, 2, 5, 6]))).toEqual({ x: 0, w: 1, y: 2 });
});

test('of several layers, takes all arrays from one', () => {
  const model = opened(['bn.weight', 4], ['bn.bias', 4], ['conv.bias', 6], ['conv.weight', 6, 4, 3, 3]);
  expect(arraysOf(model)).toEqual({ w: 3, b: 2 });
});

test('an array that the user chose has no other tensor, and null means no array', () => {
  const layer = opened(['x', 1, 1, 5, 5], ['dx', 1, 1, 5, 5]);
  expect(arraysOf(layer)).toEqual({ x: 0, dx: 1 });
  expect(arraysOf(layer, { x: { tensor: 1, reading: null } })).toEqual({ x: 1 });
  expect(arraysOf(layer, { dx: null })).toEqual({ x: 0 });
});

test('derives channels from weights, and groups from weights and x', () => {
  const layer = opened(['weight', 8, 3, 3, 3]);
  // The PyTorch name, with the filters first.
  const alone = solved(layer);
  expect(alone.offers.w?.reading?.axes).toBe('OIHW');
  expect(alone.desc).toMatchObject({ kh: 3, kw: 3, k: 8, c: 3, groups: 1 });
  const both = opened(['x', 1, 6, 6, 4], ['w', 3, 3, 2, 8], ['dy', 1, 4, 4, 8]);
  const { desc: found, offers } = solved(both);
  expect(found).toMatchObject({ h: 6, w: 6, c: 4, k: 8, groups: 2 });
  // The readings of dy follow from the new sizes.
  expect(offers.dy?.reading).toMatchObject({ axes: 'NHWC', fits: true });
});

test('imports values and sizes in one edit', async () => {
  const read = readText('x = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]\nw = [[1, 0], [0, -1]]\nb = [5]');
  if ('refusal' in read) throw new Error(read.refusal.reason);
  const edited = editNumbers(openingProblem(), {
    desc: solved(read).desc,
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
  const found = solved(read);
  for (const name of ['x', 'w', 'dy', 'y'] as const) {
    const reading = found.offers[name]?.reading;
    expect([reading?.axes, reading?.fits], name).toEqual([name === 'w' ? 'OIHW' : 'NCHW', true]);
  }
  const [x, w] = [Float32Array.from({ length: 12 }, (_, i) => i), Float32Array.from({ length: 8 }, (_, i) => i + 1)];
  const edited = editNumbers(openingProblem(), {
    desc: found.desc,
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
    return solved(opened([name, 3, 3, 3, 3]), square).offers.w?.reading?.axes;
  };
  expect(['conv1.weight', 'features.0.weight', 'weight', 'conv2d/kernel:0', 'w'].map(axesOf)).toEqual([
    ...['OIHW', 'OIHW', 'OIHW', 'HWIO', 'HWIO'],
  ]);
});

test('takes no array with five axes', () => {
  expect(arraysOf(opened(['x', 1, 1, 1, 2, 2]))).toEqual({});
  expect(arraysOf(opened(['x', 1, 1, 1, 2, 2], ['w', 2, 2]))).toEqual({ w: 1 });
});

test('removes the bias if asked', () => {
  const edited = editNumbers(openingProblem(), { desc: {}, name: '', tensors: { b: Float32Array.of(3) } });
  if ('error' in edited) throw new Error(edited.error.message);
  expect(edited.problem.b?.data).toEqual(Float32Array.of(3));
  const without = editNumbers(edited.problem, { desc: {}, name: '', tensors: {}, removesBias: true });
  expect('problem' in without && without.problem.b).toBeNull();
});

test('describes the first values in sentences', () => {
  const said = (values: readonly number[], overflowed = 0) =>
    firstValues({ name: '', shape: [], values: Float32Array.from(values), loss: { rounded: overflowed, overflowed } });
  expect(said([])).toBe('No values.');
  expect(said([1, 2])).toBe('First values: 1, 2.');
  expect(said([1, 1e300], 1)).toMatch(/ 1 is too large for float32 and becomes infinite\.$/);
  expect(said([1e300, 1e300], 2)).toMatch(/ 2 are too large for float32 and become infinite\.$/);
});

test.each([
  ['x', ['x', 'X', 'input', 'model.inputs', 'image']],
  ['w', ['conv1.weight', 'features_kernel', 'conv2d/kernel:0', 'W', 'filters']],
  ['b', ['bias', 'layer.0.bias', 'conv2d/bias:0']],
  ['y', ['output', 'out', 'conv.outputs']],
  ['dy', ['DY', 'out.grad', 'grad_output', 'gradOutput', 'd_out', 'dL_dy', 'y_grad', 'grad_y']],
  ['dx', ['dx', 'input.grad', 'x_grad', 'gradInput', 'd_inputs']],
  ['dw', ['dW', 'conv1.weight.grad', 'weight_grad', 'dLdW', 'd_kernel']],
  ['db', ['db', 'conv.bias.grad', 'grad_bias']],
  [null, ['running_mean', 'fc_out', 'id_x', 'num_batches_tracked', 'label']],
] as const)('%s has the names %j', (target, names) => {
  expect(names.map(targetOf)).toEqual(names.map(() => target));
});
