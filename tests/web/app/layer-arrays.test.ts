import { expect, test } from 'vitest';
import { layerArrays, savedInputs } from '../../../web/src/app/numbers/layer-arrays';
import type { Tensor } from '../../../web/src/protocol/problem';

const tensor = (...data: readonly number[]): Tensor => ({
  shape: [1, 1, 1, data.length],
  data: Float32Array.from(data),
  stats: { min: 0, max: 0, max_abs: 0, not_finite: 0 },
});

test('the arrays of a layer have its number; x and dy are those of its neighbors', () => {
  const between = { y: tensor(2, 3), dy: tensor(7, 8) };
  const own = { w: tensor(11), b: tensor(12, 13), dw: tensor(14), db: tensor(15, 16) };
  const arrays = layerArrays([
    { tensors: { x: tensor(1), dx: tensor(6), ...own, ...between } },
    { tensors: { x: between.y, dx: between.dy, y: tensor(4, 5), dy: tensor(9, 10) } },
  ]);
  expect(Object.fromEntries(arrays.map(({ name, values }) => [name, [...values]]))).toEqual({
    ...{ 'layer1.x': [1], 'layer1.w': [11], 'layer1.b': [12, 13], 'layer1.y': [2, 3] },
    ...{ 'layer1.dy': [7, 8], 'layer1.dx': [6], 'layer1.dw': [14], 'layer1.db': [15, 16] },
    ...{ 'layer2.x': [2, 3], 'layer2.y': [4, 5], 'layer2.dy': [9, 10], 'layer2.dx': [7, 8] },
  });
  expect(arrays.find(({ name }) => name === 'layer1.b')?.shape).toEqual([2]);
});

test('the inputs that a link leaves out are those of all layers', () => {
  const inputs = (names: readonly string[], link: string) =>
    Object.fromEntries(savedInputs(names, link).map(({ input, array }) => [input, array]));
  expect(inputs(['x', 'w', 'y'], 'v=2&h=5')).toEqual({ x: 'x', w: 'w', b: 'b', dy: 'dy' });
  expect(inputs(['layer1.x', 'layer3.y'], 'v=2&h=5&layer.1=conv;kh:3&layer.3=relu')).toEqual({
    ...{ x: 'layer1.x', dy: 'layer3.dy' },
    ...{ w: 'layer2.w', b: 'layer2.b', w1: 'layer1.w', b1: 'layer1.b', w3: 'layer3.w', b3: 'layer3.b' },
  });
  const link = 'v=2&layer.2=conv;kh:3;weights:random:3~omitted;bias:ones&weights=ones~omitted';
  const listed = 'v=2&h=5&layers=2&layer.1=conv;kh:3&layer.2=conv;kh:3';
  expect(Object.keys(inputs(['layer1.x', 'layer2.y'], listed))).toEqual(['x', 'dy', 'w1', 'b1', 'w2', 'b2']);
  const edited = savedInputs(['layer2.x'], link)
    .filter(({ field }) => new RegExp(`${field}[^&]*~omitted`).test(link))
    .map(({ input }) => input);
  expect(edited).toEqual(['w', 'w2']);
});
