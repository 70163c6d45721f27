import { expect, test } from 'vitest';
import { isDense } from '../../../web/src/layers/conv/dense';
import { parseLink } from '../../../web/src/link/parse-link';
import type { ComputeResult } from '../../../web/src/protocol/messages';
import type { Tensor, TensorName } from '../../../web/src/protocol/problem';
import { editCells, editDesc, editLoss, editSource } from '../../../web/src/state/edits';
import { type ProblemResult, requestOf, resultOf } from '../../../web/src/state/exchange';
import { withCell, withDense, withFields, withLayer, withoutLayer } from '../../../web/src/state/layer-edits';
import { endOf, type Problem, sizesOf } from '../../../web/src/state/problem';
import { createStore } from '../../../web/src/state/store';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { layerOf } from '../support/problems';
import { errorOf, FOUR, made, opened } from './networks';

/** Rows of the input of each layer, and of the last output. */
const rowsOf = (problem: Problem): readonly (number | string)[] => {
  const { layers } = problem;
  const sizes = sizesOf(problem);
  return [
    problem.x.shape[1],
    ...layers.map(({ kind }, i) => (kind === 'conv' ? (sizes[i]?.h ?? 0) : kind)),
    endOf(problem)[1],
  ];
};

test('the sizes of each layer follow from the one before it', () => {
  expect(rowsOf(opened())).toEqual([12, 12, 'relu', 'max_pool', 5, 3]);
});

test('a transposed convolution has the chosen one of its possible sizes, and keeps its weights by position', () => {
  const two = made(withLayer(opened(), 'conv_transpose'));
  const layer = two.layers.at(-1);
  if (layer?.kind !== 'conv_transpose') return expect.fail('no transposed convolution');
  // 3 rows: (3 - 1) * 2 + 3 = 7.
  expect(endOf(two)).toEqual([1, 7, 7, 1]);
  const edit = (fields: Partial<typeof layer.fields>) =>
    withFields(two, two.layers.length - 1, { ...layer.fields, ...fields });
  const more = made(edit({ output_padding_h: 1, k: 2 }));
  expect(endOf(more)).toEqual([1, 8, 7, 2]);
  const { w } = more.layers.at(-1) as typeof layer;
  // [kh, kw, k, c]: the first channel of y keeps its weights.
  expect(w.shape).toEqual([3, 3, 2, 1]);
  expect([...w.data].filter((_, i) => i % 2 === 0)).toEqual([...layer.w.data]);
  expect(errorOf(edit({ output_padding_w: 2 }))).toMatch(/the output padding, 2, must be below the stride, 2$/);
  const sides = { top: 4, bottom: 4, left: 0, right: 0 };
  expect(errorOf(edit({ padding: sides }))).toMatch(/the padding leaves no rows of y$/);
  expect(errorOf(withoutLayer(made(withLayer(opened('h=5&kh=3'), 'conv_transpose')), 0))).toBe(
    'a network needs a convolution',
  );
});

test('a stride of the first layer changes the sizes of all later layers', () => {
  // (12 - 3) / 2 + 1 = 5 rows, pooled to 2: the last kernel of 2 leaves 1.
  const problem = opened(FOUR.replace('kh:3;kw:3', 'kh:2;kw:2'));
  const strided = made(editDesc(problem, 0, problem, { stride_h: 2, stride_w: 2 }));
  expect(rowsOf(strided)).toEqual([12, 12, 'relu', 'max_pool', 2, 1]);
});

test('refuses sizes that do not fit a later layer, names it, and loses nothing', () => {
  const store = createStore(opened());
  const before = store.problem.value;
  store.setDesc({ stride_h: 2, stride_w: 2 });
  expect(store.problem.value).toBe(before);
  expect(store.draft.value).toMatchObject({
    field: 'stride_h',
    error: { message: expect.stringMatching(/^layer 4 \(conv 3 × 3\): .*kh/), field: '' },
  });
});

test('filters of the first layer are channels of the later convolution', () => {
  const problem = opened();
  const two = made(editDesc(problem, 0, problem, { k: 2 }));
  expect(sizesOf(two)[3]).toMatchObject({ c: 2 });
  expect(two.layers[3]).toMatchObject({ fields: { k: 1 }, w: { shape: [3, 3, 2, 1] } });
});

test('cells that other layers compute cannot be edited, and the reason is told', () => {
  const first = opened();
  const at = (layer: number, tensor: 'x' | 'dy') => ({
    tensor,
    indices: [0],
    geometry: geometryOf(layerOf(first, layer).desc),
  });
  expect(errorOf(editCells(first, 3, at(3, 'x'), 5, null))).toBe('it is the output of layer 3');
  expect(errorOf(editSource(first, 3, 'x', { kind: 'impulse' }))).toBe('it is the output of layer 3');
  expect(errorOf(editDesc(first, 3, first, { h: 6 }))).toBe('it follows from layer 3');
  expect(errorOf(editCells(first, 0, at(0, 'dy'), 5, new Float32Array(100)))).toBe('it is the dx of layer 2');
  const pointed = { kind: 'given', dy: { kind: 'one_hot', index: 3 } } as const;
  expect(errorOf(editLoss(first, 0, pointed, geometryOf(layerOf(first).desc)))).toBe('it is the dx of layer 2');
  expect(made(editCells(first, 0, at(0, 'x'), 5, null)).x.data[0]).toBe(5);
  expect(made(withCell(first, 0, 'x', 143, 7)).x.data[143]).toBe(7);
  expect(errorOf(withCell(first, 0, 'x', 144, 7))).toBe('x has no cell 144');
});

test('dy is set at the end, and its size follows the last layer', () => {
  const problem = opened(FOUR.replace('mse:0', 'one_hot:8'));
  expect(errorOf(editLoss(problem, 0, { kind: 'given', dy: { kind: 'one_hot', index: 9 } }))).toBe('y has no cell 9');
  // Without the last layer the end is 5 × 5: cell [2,2] of 3 × 3 is cell 12 of it.
  expect(made(withoutLayer(problem, 3)).loss).toEqual({ kind: 'given', dy: { kind: 'one_hot', index: 12 } });
});

test('a layer is added at the end; a network has at most six', () => {
  const one = parseLink('h=6&kh=3&dy=pointed:5').problem;
  const two = made(withLayer(one, 'relu'));
  expect(two).toMatchObject({ layers: [{ kind: 'conv' }, { kind: 'relu' }] });
  expect(endOf(two)).toEqual([1, 4, 4, 1]);
  // It follows the pointer in a network, too.
  expect(two.loss).toEqual({ kind: 'given', dy: { kind: 'pointed', index: 5 } });
  const three = made(withLayer(two, 'max_pool'));
  expect(endOf(three)).toEqual([1, 2, 2, 1]);
  const four = made(withLayer(three, 'conv'));
  // Padding: a kernel of 3 does not fit 2 × 2.
  expect(four.layers[3]).toMatchObject({ kind: 'conv', fields: { padding_mode: 'same' } });
  expect(endOf(four)).toEqual([1, 2, 2, 1]);
  const six = made(withLayer(made(withLayer(four, 'relu')), 'average_pool'));
  expect(six.layers).toHaveLength(6);
  expect(errorOf(withLayer(six, 'relu'))).toBe('a network has at most 6 layers');
  const small = parseLink('h=3&kh=3').problem;
  expect(errorOf(withLayer(small, 'max_pool'))).toBe(
    'layer 2 (max pooling 2 × 2): the window has 2 rows, but its input has 1',
  );
});

test('a layer is removed; a network of one layer is a problem as before', () => {
  const one = parseLink('h=6&kh=3&x=random:1&weights=random:2').problem;
  expect(made(withoutLayer(made(withLayer(one, 'relu')), 1))).toEqual(one);
  const problem = opened();
  expect(rowsOf(made(withoutLayer(problem, 2)))).toEqual([12, 12, 'relu', 10, 8]);
  // The other convolution is on x itself.
  const without = made(withoutLayer(problem, 0));
  expect(layerOf(without).desc).toMatchObject({ h: 6, kh: 3 });
  expect(without.layers.map(({ kind }) => kind)).toEqual(['relu', 'max_pool', 'conv']);
  expect(errorOf(withoutLayer(without, 2))).toBe('a network needs a convolution');
});

test('the layout of all layers changes at once, and every weight keeps its position', () => {
  const problem = opened(FOUR.replace('weights:random:3', 'k:2;weights:countdown:18'));
  const nchw = made(editDesc(problem, 0, problem, { layout: 'nchw' }));
  expect(nchw.x.shape).toEqual([1, 1, 12, 12]);
  expect(nchw).toMatchObject({ input: { layout: 'nchw' }, layers: { 3: { w: { shape: [2, 1, 3, 3] } } } });
  expect(endOf(nchw)).toEqual([1, 2, 3, 3]);
  expect(made(editDesc(nchw, 0, nchw, { layout: 'nhwc' }))).toEqual(problem);
});

test('a batch of the first layer is a batch of all, also when a later one is open', () => {
  const problem = opened();
  const batch = made(editDesc(problem, 3, problem, { n: 2 }));
  expect(batch.x.shape).toEqual([2, 12, 12, 1]);
  expect(endOf(batch)).toEqual([2, 3, 3, 1]);
});

test('undo and redo restore the layers', () => {
  const store = createStore(parseLink('h=6&kh=3').problem);
  store.accept(withLayer(store.problem.value, 'relu'), { field: '', text: '' }, 'sizes');
  const two = store.problem.value;
  store.undo();
  expect(store.problem.value.layers).toHaveLength(1);
  store.redo();
  expect(store.problem.value).toBe(two);
});

test('a request is the list of layers, with all weights', () => {
  const { layers, input, x } = requestOf(opened());
  expect(layers.map(({ kind }) => kind)).toEqual(['conv', 'relu', 'max_pool', 'conv']);
  expect(layers.map(({ w }) => w?.length ?? null)).toEqual([9, null, null, 9]);
  expect([input, x.length]).toEqual([{ layout: 'nhwc', n: 1, h: 12, w: 12, c: 1 }, 144]);
  const one = requestOf(parseLink('h=6').problem);
  expect(one.layers).toHaveLength(1);
});

test('hidden cells are sent by layer: by the number in their name, or as those of the first layer', () => {
  const { hidden } = requestOf(opened(), [
    { tensor: 'y2', index: 1 },
    { tensor: 'dy1', index: null },
    { tensor: 'dy4', index: 0 },
    { tensor: 'dx', index: 5 },
    { tensor: 'w', index: 2 },
  ]);
  expect(hidden).toEqual([
    { layer: 1, tensor: 'y', index: 1 },
    { layer: 0, tensor: 'dy', index: null },
    { layer: 3, tensor: 'dy', index: 0 },
    { layer: 0, tensor: 'dx', index: 5 },
    { layer: 0, tensor: 'w', index: 2 },
  ]);
});

test('tensors of a result that did not change keep their objects; winners follow from the input of their layer', () => {
  const problem = opened('h=12&kh=3&layer.2=conv;kh:3;kw:3;weights:random:3&dy=mse:0');
  const tensor = (...values: number[]): Tensor => ({
    ...{ shape: [1, 1, values.length, 1], data: Float32Array.from(values) },
    stats: { min: 0, max: 0, max_abs: 0, not_finite: 0 },
  });
  const geometry = () => geometryOf(layerOf(opened()).desc);
  const { stats } = tensor(0);
  const none = { unchanged: [], stats: { w: null, b: null }, runs: {} };
  const result = (w: number, y: number, x = tensor(1, 2)): ComputeResult => ({
    ...{ type: 'compute', revision: 1, x_stats: stats, loss: y },
    layers: [
      {
        ...{ ...none, geometry: geometry(), extras: { winners: Int32Array.of(1) } },
        tensors: { x, dx: tensor(0, 0), y: tensor(2), dy: tensor(Number.NaN) },
      },
      {
        ...{ ...none, geometry: geometry() },
        tensors: { w: tensor(w), dw: tensor(6), y: tensor(y), dy: tensor(-0) },
      },
    ],
  });
  const first = resultOf(problem, result(3, 6), null);
  const same = resultOf(problem, result(3, 6), first);
  const next = resultOf(problem, result(4, 8), first);
  const kept = (shown: ProblemResult, layer: number) =>
    Object.entries(shown.layers[layer]?.tensors ?? {}).flatMap(([name, tensor]) =>
      tensor === first.layers[layer]?.tensors[name as TensorName] ? [name] : [],
    );
  expect(same.layers.map((each, i) => each === first.layers[i])).toEqual([true, true]);
  expect(next.layers.map((each, i) => each === first.layers[i])).toEqual([true, false]);
  // NaN equals itself.
  expect(kept(next, 1).sort()).toEqual(['dw', 'dx', 'dy', 'x']);
  expect(next.layers[1]?.tensors).toMatchObject({ w: { data: Float32Array.of(4) }, y: { data: Float32Array.of(8) } });
  // What lies between two layers is one object.
  expect(next.layers[1]?.tensors.x).toBe(next.layers[0]?.tensors.y);
  expect(next.layers.map(({ loss }) => loss?.value)).toEqual([undefined, 8]);
  const moved = resultOf(problem, result(3, 6, tensor(2, 1)), first);
  expect(moved.layers[0]?.winners).not.toBe(first.layers[0]?.winners);
});

test('a layer is added in the middle: the later ones follow', () => {
  const problem = made(withoutLayer(opened(), 1));
  // conv -> max pooling -> conv, 12 -> 10 -> 5 -> 3.
  const four = made(withLayer(problem, 'relu', 1));
  expect(four.layers.map(({ kind }) => kind)).toEqual(['conv', 'relu', 'max_pool', 'conv']);
  expect(layerOf(four, 3).desc).toMatchObject({ h: 5, kh: 3 });
  // 12 -> 6 -> 4 -> 2: the kernel of 3 of the last layer does not fit.
  expect(errorOf(withLayer(problem, 'average_pool', 0))).toMatch(/^layer 4 \(conv 3 × 3\): /);
  const first = made(withLayer(made(withoutLayer(problem, 2)), 'average_pool', 0));
  expect(rowsOf(first)).toEqual([12, 'average_pool', 6, 'max_pool', 2]);
});

test('the window of a pooling layer changes; sizes that do not fit are refused, and the layer is named', () => {
  const problem = opened();
  const pool = { kh: 3, kw: 3, stride_h: 1, stride_w: 1, padding: { top: 1, bottom: 1, left: 1, right: 1 } };
  // 10 + 2 - 3 + 1 = 10 rows, and 8 after the last layer.
  expect(rowsOf(made(withFields(problem, 2, pool)))).toEqual([12, 12, 'relu', 'max_pool', 10, 8]);
  const coarse = { ...pool, stride_h: 8, stride_w: 8 };
  expect(errorOf(withFields(problem, 2, coarse))).toMatch(/^layer 4 \(conv 3 × 3\): /);
  expect(errorOf(withFields(problem, 2, { ...pool, kh: 13 }))).toBe(
    'layer 3 (max pooling 13 × 3): the window has 13 rows, but its input has 12',
  );
  expect(errorOf(withFields(problem, 2, { ...pool, kh: 1 }))).toBe(
    'layer 3 (max pooling 1 × 3): the padding must be smaller than the window',
  );
  expect(errorOf(withFields(problem, 0, pool))).toBe('layer 1 has no fields of its own');
});

test('a dense layer has one window, with a weight for each cell of its input', () => {
  // The input of layer 4 has 5 rows, after pooling: 5 - 5 + 1 = 1.
  const dense = made(withDense(opened(), 3));
  expect(rowsOf(dense)).toEqual([12, 12, 'relu', 'max_pool', 5, 1]);
  expect(dense.layers[3]).toMatchObject({
    fields: { kh: 5, kw: 5, stride_h: 1, stride_w: 1, dilation_h: 1, groups: 1, padding_mode: 'valid' },
  });
  const g = geometryOf(layerOf(dense, 3).desc);
  expect(isDense(g)).toBe(true);
  // A stride has no second window to move to; each of the others leaves cells of x out, or reads outside it.
  expect(isDense({ ...g, stride_h: 2 })).toBe(true);
  const padding = { ...g.padding, left: 1 };
  for (const other of [{ kh: 4 }, { kw: 4 }, { dilation_w: 2 }, { groups: 2 }, { padding }])
    expect(isDense({ ...g, ...other })).toBe(false);
});
