import { expect, test } from 'vitest';
import { gridOf } from '../../../web/src/geometry/grid';
import type { LayerKind } from '../../../web/src/layers/list';
import type { LayerContent } from '../../../web/src/protocol/messages';
import type { Geometry, Tensor } from '../../../web/src/protocol/problem';
import { explained } from '../../../web/src/views/network/explained';
import { fitNet, stackNet } from '../../../web/src/views/network/fit-net';
import { type Net, netCellLabel, placeOf, placeText } from '../../../web/src/views/network/net';
import { reachMarks, routeMarks } from '../../../web/src/views/network/net-marks';
import { netStepCount, netStepSentence, pendingIn, stepOf } from '../../../web/src/views/network/steps';
import { makeDesc } from '../contract/requests';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { alone } from '../support/alone';

const NO_STATS = { min: 0, max: 0, max_abs: 0, not_finite: 0 };
const tensor = (h: number, values: readonly number[]): Tensor => ({
  shape: [1, h, h, 1],
  data: Float32Array.from(values),
  stats: NO_STATS,
});

const windowOf = (h: number, size: number) =>
  geometryOf(makeDesc({ h, w: h, kh: size, kw: size, stride_h: size, stride_w: size }));

function netOf(
  kinds: readonly (readonly [LayerKind, Geometry, Partial<LayerContent>?])[],
  values: readonly Tensor[],
  gradients: readonly Tensor[],
): Net {
  const layers = kinds.map(([kind, geometry, result], i) => ({
    ...alone(geometry),
    ...{ index: i, number: i + 1, kind, title: kind, isOpen: i === 0, parts: {} },
    ...result,
  }));
  const last = kinds.at(-1)?.[1] as Geometry;
  const grids = [...kinds.map(([, g]) => gridOf(g, 'x')), gridOf(last, 'y')];
  return {
    layers,
    loss: null,
    tensors: grids.map((grid, i) => ({
      name: i === 0 ? 'x' : `y${i}`,
      grid,
      value: values[i] as Tensor,
      gradient: gradients[i] as Tensor,
    })),
  };
}

/** x 2 × 2 -> ReLU -> pooling of 2 × 2. x = [-1, 3, 0, 2]; dy = 5. */
const RELU = geometryOf(makeDesc({ h: 2, w: 2, kh: 1, kw: 1 }));
const X = tensor(2, [-1, 3, 0, 2]);
const Y1 = tensor(2, [0, 3, 0, 2]);

const MAX = netOf(
  [
    ['relu', RELU],
    ['max_pool', windowOf(2, 2), { winners: Int32Array.of(1) }],
  ],
  [X, Y1, tensor(1, [3])],
  [tensor(2, [0, 5, 0, 0]), tensor(2, [0, 5, 0, 0]), tensor(1, [5])],
);
const MEAN = netOf(
  [
    ['relu', RELU],
    ['average_pool', windowOf(2, 2), { averages: { sums: Float32Array.of(5), counts: Int32Array.of(4) } }],
  ],
  [X, Y1, tensor(1, [1.25])],
  [tensor(2, [0, 1.25, 0, 1.25]), tensor(2, [1.25, 1.25, 1.25, 1.25]), tensor(1, [5])],
);

/** x 3 × 3 -> conv 2 × 2 with a bias -> y 2 × 2. */
const CONV = ((): Net => {
  const g = geometryOf(makeDesc({ h: 3, w: 3, kh: 2, kw: 2 }));
  const y = tensor(2, [-3, -3, -3, -3]);
  const net = netOf(
    [['conv', g]],
    [tensor(3, [1, 2, 3, 4, 5, 6, 7, 8, 9]), y],
    [tensor(3, [1, 0, 0, 0, 0, 0, 0, 0, 0]), y],
  );
  const [layer] = net.layers;
  const parts = {
    w: { name: 'w', grid: gridOf(g, 'w'), value: tensor(2, [1, 0, 0, -1]), gradient: tensor(2, [12, 16, 24, 28]) },
    b: { name: 'b', grid: gridOf(g, 'b'), value: tensor(1, [1]), gradient: tensor(1, [4]) },
  };
  return { ...net, layers: layer ? [{ ...layer, parts }] : [] };
})();

const value = (at: number, index: number) => ({ at, side: 'value', index }) as const;
const gradient = (at: number, index: number) => ({ at, side: 'gradient', index }) as const;

test('explains cells of a ReLU, and the gate of their gradients', () => {
  expect(explained(MAX, value(1, 1))).toEqual(['y1[0,1] = 3', '= max(0, x[0,1]) = max(0, 3)', 'The gate is open.']);
  expect(explained(MAX, value(1, 0))[1]).toBe('= max(0, x[0,0]) = max(0, −1)');
  expect(explained(MAX, gradient(0, 1))).toEqual([
    'dx[0,1] = 5',
    '= dy1[0,1] = 5: the gate is open, because x[0,1] = 3 is above 0.',
  ]);
  // The gradient at 0 is 0.
  expect(explained(MAX, gradient(0, 2))[1]).toBe(
    'The gate is closed, because x[1,0] = 0 is not above 0: no gradient passes.',
  );
});

test('explains the largest cell of a window, and which cell gets its gradient', () => {
  expect(explained(MAX, value(2, 0))).toEqual([
    'y2[0,0] = 3',
    'The largest of 4 cells of y1: 0, 3, 0, 2.',
    'It comes from y1[0,1]; only that cell gets a gradient.',
  ]);
  expect(explained(MAX, gradient(1, 1)).slice(1)).toEqual(['It is the largest cell of 1 window.', '= dy2[0,0] = 5']);
  expect(explained(MAX, gradient(1, 3))[1]).toBe(
    'It is not the largest cell of any window, so no gradient reaches it.',
  );
});

test('explains a mean with the sum and the count of the library', () => {
  expect(explained(MEAN, value(2, 0))).toEqual([
    'y2[0,0] = 1.25',
    'The mean of 4 cells of y1: 0, 3, 0, 2.',
    '= sum 5 / 4',
  ]);
  expect(explained(MEAN, gradient(1, 3))[1]).toBe('Each window gives 1/4 of its gradient: dy2[0,0] = 5.');
});

test('explains a mean that does not count the padding', () => {
  // Windows of 2 × 2 with a row above and a column before: the first one has 1 cell, the second one 2.
  const padding = { top: 1, bottom: 0, left: 1, right: 0 };
  const window = geometryOf(makeDesc({ h: 2, w: 2, kh: 2, kw: 2, padding }));
  const averages = { sums: Float32Array.of(4, 12, 16, 40), counts: Int32Array.of(1, 2, 2, 4) };
  const net = netOf(
    [['average_pool', window, { averages, fields: { count_include_pad: false } }]],
    [tensor(2, [4, 8, 12, 16]), tensor(2, [4, 6, 8, 10])],
    [tensor(2, [9, 2, 3, 1]), tensor(2, [5, 4, 4, 4])],
  );
  expect(explained(net, value(1, 1)).slice(1)).toEqual(['The mean of 2 cells of x: 4, 8.', '= sum 12 / 2']);
  expect(explained(net, gradient(0, 1)).slice(1)).toEqual([
    'Each window gives its gradient, divided by its number of cells: dy1[0,1] = 4 / 2, dy1[1,1] = 4 / 4.',
  ]);
});

test('explains a leaky ReLU by its slope, and hatches the cells that it applies to', () => {
  const net = netOf(
    [['leaky_relu', RELU, { fields: { alpha: 0.25 } }]],
    [tensor(2, [-8, 3, 0, 2]), tensor(2, [-2, 3, 0, 2])],
    [tensor(2, [1, 5, -1.5, 7]), tensor(2, [4, 5, -6, 7])],
  );
  expect(explained(net, value(1, 0)).slice(1)).toEqual(['= 0.25 · x[0,0] = 0.25 · −8', 'x[0,0] = −8 is not above 0.']);
  expect(explained(net, value(1, 1)).slice(1)).toEqual(['= x[0,1] = 3', 'x[0,1] = 3 is above 0.']);
  expect(explained(net, gradient(0, 2)).slice(1)).toEqual([
    '= 0.25 · dy1[1,0] = 0.25 · −6',
    'x[1,0] = 0 is not above 0.',
  ]);
  const hatched = routeMarks(net, { at: 1, side: 'value', slice: 0, channel: 0 });
  expect(hatched.map(({ tone, area: { row, col } }) => [tone, row, col])).toEqual([
    ['unread', 0, 0],
    ['unread', 1, 0],
  ]);
});

test('hatches closed gates and the losers of a maximum, and outlines the winner', () => {
  const marked = (at: number, side: 'value' | 'gradient') =>
    routeMarks(MAX, { at, side, slice: 0, channel: 0 }).map(({ tone, area: { row, col, cols } }) => [
      tone,
      row,
      col,
      cols,
    ]);
  expect(marked(0, 'value')).toEqual([]);
  expect(marked(1, 'value')).toEqual([
    ['unread', 0, 0, 1],
    ['unread', 1, 0, 1],
    ['winner', 0, 1, 1],
  ]);
  expect(marked(0, 'gradient')).toEqual([
    ['unread', 0, 0, 1],
    ['unread', 1, 0, 1],
  ]);
  expect(marked(1, 'gradient')).toEqual([
    ['unread', 0, 0, 1],
    ['unread', 1, 0, 2],
  ]);
});

test('outlines what a cell came from and what it reaches; gradients flow the other way', () => {
  const tones = (place: ReturnType<typeof value> | ReturnType<typeof gradient>) =>
    [0, 1, 2].map((at) => reachMarks(MAX, { at, side: place.side, slice: 0, channel: 0 }, place)[0]?.tone);
  expect(tones(value(1, 1))).toEqual(['source', 'focus', 'target']);
  expect(tones(gradient(1, 1))).toEqual(['target', 'focus', 'source']);
  expect(reachMarks(MAX, { at: 0, side: 'gradient', slice: 0, channel: 0 }, value(1, 1))).toEqual([]);
  expect(reachMarks(MAX, { at: 0, side: 'value', slice: 0, channel: 0 }, value(2, 0))[0]?.area).toMatchObject({
    ...{ row: 0, col: 0, rows: 2, cols: 2 },
  });
});

test('cells have names, in links too; a name of no cell is none', () => {
  const [, y1] = MAX.tensors;
  expect(y1 && netCellLabel(y1, 'gradient', 3)).toBe('dy1[1,1]');
  expect(placeText(MAX, gradient(1, 3))).toBe('dy1.3');
  expect(placeOf(MAX, 'dy1.3')).toEqual(gradient(1, 3));
  for (const wrong of ['dy1.4', 'dy3.0', 'y1', 'y1.x', '', undefined, 7]) expect(placeOf(MAX, wrong)).toBeNull();
});

test('the columns fit the room, and small tensors fill theirs', () => {
  const { widths, cells } = fitNet(MAX, { width: 700, height: 500 });
  expect(widths.reduce((sum, each) => sum + each, 2 * 26)).toBeLessThanOrEqual(700);
  // All are small: the largest cells that a panel has.
  expect(cells).toEqual([44, 44, 44]);
  const narrow = fitNet(MAX, { width: 300, height: 348 });
  // (348 - 136 of the cards - 24 - 18) / 2 - 36 around the cells, for 2 rows.
  expect(narrow.cells).toEqual([24, 24, 44]);
  expect(stackNet(MAX, 358).cells).toEqual([44, 44, 44]);
});

test('the player goes forward through all layers, then backward, row by row', () => {
  // y1: 4 cells, y2: 1; dy2: 1 step, dy1: 4, dx: 4.
  expect(netStepCount(MAX)).toBe(14);
  const at = (t: unknown) => stepOf(MAX, t, 0, [0, 0, 0]);
  expect(at(0)).toBeNull();
  expect(at('x')).toBeNull();
  expect(at(-3)).toBeNull();
  const places = [1, 4, 5, 6, 7, 10, 11, 14, 99].map((t) => placeText(MAX, at(t)?.place ?? value(0, 0)));
  expect(places).toEqual(['y1.0', 'y1.3', 'y2.0', 'dy2.0', 'dy1.0', 'dy1.3', 'dx.0', 'dx.3', 'dx.3']);
  expect(netStepSentence(MAX, at(2))).toBe('Step 2 of 14, layer 1 forward: y1[0,1] = 3 = max(0, x[0,1]) = max(0, 3).');
  expect(netStepSentence(MAX, at(6))).toBe('Step 6 of 14: dy2[0,0] = 5. dy at the end is given.');
  expect(netStepSentence(MAX, at(8))).toBe(
    'Step 8 of 14, layer 2 backward: dy1[0,1] = 5. It is the largest cell of 1 window.',
  );
  expect(netStepSentence(MAX, null)).toContain('Press Play');
});

test('cells that the player has not computed yet are covered; without a step, none is', () => {
  const covered = (t: number, tensor: number, side: 'value' | 'gradient') =>
    pendingIn(MAX, stepOf(MAX, t, 0, [0, 0, 0]), { at: tensor, side }).map(({ row, col, rows, cols }) => [
      row,
      col,
      rows,
      cols,
    ]);
  expect(covered(0, 1, 'value')).toEqual([]);
  expect(covered(3, 0, 'value')).toEqual([]);
  expect(covered(3, 1, 'value')).toEqual([[1, 1, 1, 1]]);
  expect(covered(1, 1, 'value')).toEqual([
    [0, 1, 1, 1],
    [1, 0, 1, 2],
  ]);
  expect(covered(4, 1, 'value')).toEqual([]);
  expect(covered(4, 2, 'value')).toEqual([[0, 0, 1, 1]]);
  expect(covered(5, 2, 'gradient')).toEqual([[0, 0, 1, 1]]);
  expect(covered(6, 2, 'gradient')).toEqual([]);
  expect(covered(13, 0, 'gradient')).toEqual([[1, 1, 1, 1]]);
  expect(covered(14, 0, 'gradient')).toEqual([]);
});

test('weights are cells, too: they have names, marks and steps of the player', () => {
  const dw = { at: 0, of: 'w', side: 'gradient', index: 3 } as const;
  expect(placeText(CONV, dw)).toBe('dw.3');
  expect(placeOf(CONV, 'dw.3')).toEqual(dw);
  expect(placeOf(CONV, 'b.0')).toEqual({ at: 0, of: 'b', side: 'value', index: 0 });
  expect(placeOf(CONV, 'b.1')).toBeNull();
  expect(explained(CONV, dw)[0]).toBe('dw[1,1] = 28');
  expect(explained(CONV, { at: 0, of: 'b', side: 'value', index: 0 })).toEqual([
    'b[0] = 1',
    'The bias of a filter of layer 1.',
  ]);
  const marks = (place: Parameters<typeof reachMarks>[2], plane: object) =>
    reachMarks(CONV, { at: 0, side: 'value', slice: 0, channel: 0, ...plane }, place).map(
      ({ tone, area: { row, col, rows, cols } }) => [tone, row, col, rows, cols],
    );
  // dw[1,1] adds x[1..2,1..2] times all of dy.
  expect(marks(dw, {})).toEqual([['source', 1, 1, 2, 2]]);
  expect(marks(dw, { at: 1, side: 'gradient' })).toEqual([['source', 0, 0, 2, 2]]);
  expect(marks(dw, { of: 'w', side: 'gradient' })).toEqual([['focus', 1, 1, 1, 1]]);
  expect(marks(value(1, 1), { of: 'w' })).toEqual([['source', 0, 0, 2, 2]]);
  expect(marks(value(1, 1), { of: 'b' })).toEqual([['source', 0, 0, 1, 1]]);
  // dx[0,0] is in one window only: with w[0,0].
  expect(marks(gradient(0, 0), { of: 'w' })).toEqual([['source', 0, 0, 1, 1]]);
  // y: 4, dy: 1, dw: 4, db: 1, dx: 9.
  expect(netStepCount(CONV)).toBe(19);
  const names = [4, 5, 6, 9, 10, 11, 19].map((t) => placeText(CONV, stepOf(CONV, t, 0, [0, 0])?.place ?? dw));
  expect(names).toEqual(['y1.3', 'dy1.0', 'dw.0', 'dw.3', 'db.0', 'dx.0', 'dx.8']);
});
