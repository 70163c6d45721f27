import { expect, test } from 'vitest';
import { layerView } from '../../../web/src/layers/views';
import type { Tensor } from '../../../web/src/protocol/problem';
import { coneOf } from '../../../web/src/views/network/cone';
import { explained } from '../../../web/src/views/network/explained';
import {
  layerSumOf,
  type Net,
  netCellLabel,
  netOf as netOfContent,
  type Place,
  placeBeside,
  placeOf,
  placeText,
} from '../../../web/src/views/network/net';
import { reachMarks, routeMarks } from '../../../web/src/views/network/net-marks';
import { coneSentence, deadSentence } from '../../../web/src/views/network/sentences';
import { makeDesc } from '../contract/requests';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { alone } from '../support/alone';
import { CONV, DEEP, gradient, MAX, MEAN, NO_STATS, netOf, RELU, tensor, value, X } from './nets';

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

test('counts the products in each cell of a transposed convolution, and says what helps', () => {
  const table = (size: number, dilation = 1) => {
    const h = 2 * 2 + (size - 1) * dilation + 1;
    const steps = { stride_h: 2, stride_w: 2, dilation_h: dilation, dilation_w: dilation };
    const geometry = geometryOf(makeDesc({ h, w: h, kh: size, kw: size, ...steps }));
    return layerView('conv_transpose').table?.({ geometry }) ?? expect.fail('no table');
  };
  // By hand: columns 2 and 4 are in two of the three windows.
  expect(table(3).cells.slice(0, 3)).toEqual([
    [1, 1, 2, 1, 2, 1, 1],
    [1, 1, 2, 1, 2, 1, 1],
    [2, 2, 4, 2, 4, 2, 2],
  ]);
  expect(table(3).note).toMatch(/the kernel, 3, is not divisible by the stride, 2. Use kernel 4, or resize x first/);
  expect(table(4).cells[2]).toEqual([2, 2, 4, 4, 4, 4, 2, 2]);
  expect(table(4).note).toMatch(/there is no checkerboard/);
  // All taps of a dilation of 2 are at even columns.
  expect(table(4, 2).note).toMatch(/dilation 2 leaves the windows uneven. Use dilation 1/);
});

/** x 2 × 2 -> transposed conv 3 × 3 with stride 2 -> y 5 × 5. The geometry is that of the convolution from y to x. */
const TRANSPOSED = ((): Net => {
  const geometry = geometryOf(makeDesc({ h: 5, w: 5, kh: 3, kw: 3, stride_h: 2, stride_w: 2 }));
  const filled = (h: number, by = 0) => tensor(h, new Array<number>(h * h).fill(by));
  const tensors = {
    ...{ x: tensor(2, [0, 1, 2, 3]), y: filled(5, 44), dx: filled(2, 45), dy: filled(5, 1) },
    ...{ w: tensor(3, [9, 8, 7, 6, 5, 4, 3, 2, 1]), dw: filled(3, 6) },
  };
  const net = netOfContent(alone(geometry, { kind: 'conv_transpose', tensors }));
  return net ?? expect.fail('no network');
})();

test('explains a transposed convolution by the cells of x that reach a cell of y', () => {
  expect(TRANSPOSED.tensors.map(({ name, grid: { size } }) => [name, size.row, size.col])).toEqual([
    ['x', 2, 2],
    ['y', 5, 5],
  ]);
  expect(explained(TRANSPOSED, value(1, 12))).toEqual([
    'y[2,2] = 44',
    'The sum of 4 cells of x, each times its weight of w here.',
  ]);
  expect(explained(TRANSPOSED, value(1, 6))[1]).toBe('The sum of 1 cell of x, each times its weight of w here.');
  expect(explained(TRANSPOSED, gradient(0, 3))).toEqual([
    'dx[1,1] = 45',
    'The sum of 9 products of dy and w: its window, as in a convolution.',
  ]);
  expect(coneSentence(TRANSPOSED, value(1, 12), coneOf(TRANSPOSED, value(1, 12)))).toBe(
    'y[2,2] = 44 reads 4 cells of x',
  );
});

test('names the tensors of a transposed convolution as the convolution from y to x, and back', () => {
  const sum = layerSumOf(TRANSPOSED, value(1, 12));
  expect(sum).toMatchObject({ cell: { tensor: 'dx', index: 12 }, isTransposed: true });
  expect(sum?.tensors.dy).toBe(TRANSPOSED.tensors[0]?.value);
  expect(sum?.tensors.x).toBe(TRANSPOSED.tensors[1]?.gradient);
  expect(layerSumOf(TRANSPOSED, gradient(0, 3))?.cell).toEqual({ tensor: 'y', index: 3 });
  expect(placeBeside(TRANSPOSED, 0, { tensor: 'dy', index: 2 })).toEqual({
    at: 0,
    of: undefined,
    side: 'value',
    index: 2,
  });
  // A weight: all cells of x are multiplied by it.
  const marks = reachMarks(
    TRANSPOSED,
    { at: 0, side: 'value', slice: 0, channel: 0 },
    { ...value(0, 4), of: 'w' },
    null,
  );
  expect(marks.map(({ area: { row, col, rows, cols } }) => [row, col, rows, cols])).toContainEqual([0, 0, 2, 2]);
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
  const marks = (at: number, side: 'value' | 'gradient', place: Place) =>
    reachMarks(MAX, { at, side, slice: 0, channel: 0 }, place, coneOf(MAX, place));
  const tones = (side: 'value' | 'gradient', place: Place) => [0, 1, 2].map((at) => marks(at, side, place)[0]?.tone);
  expect(tones('value', value(1, 1))).toEqual(['source', 'focus', 'target']);
  expect(tones('gradient', gradient(1, 1))).toEqual(['target', 'focus', 'source']);
  // Both rows show the cone of the same cell.
  expect(tones('gradient', value(1, 1))).toEqual(['target', 'focus', 'source']);
  expect(marks(0, 'value', value(2, 0)).map(({ area }) => area)).toMatchObject([{ row: 0, col: 0, rows: 2, cols: 2 }]);
  // Of the four cells only the winner gets the gradient.
  expect(marks(0, 'gradient', value(2, 0)).map(({ area }) => area)).toMatchObject([
    { row: 0, col: 1, rows: 1, cols: 1 },
  ]);
});

test('the cone of a value closes by the windows, that of its gradient opens through winners and open gates', () => {
  // y2[0] is the largest of 4 cells; x[1,0] = 0 has a closed gate.
  const counts = (net: Net, place: Place) =>
    (['value', 'gradient'] as const).map((side) => coneOf(net, place)?.[side].map((each) => each?.cells.length ?? 0));
  expect(counts(MAX, value(2, 0))).toEqual([
    [4, 4, 1],
    [1, 1, 1],
  ]);
  expect(counts(MAX, value(0, 2))).toEqual([
    [1, 1, 1],
    [1, 0, 0],
  ]);
  expect(counts(MEAN, value(2, 0))).toEqual([
    [4, 4, 1],
    [2, 4, 1],
  ]);
  expect(coneOf(CONV, { at: 0, of: 'w', side: 'value', index: 0 })).toBeNull();
});

test('the sentence counts the cells of the cone, to the first tensor', () => {
  const said = (net: Net, place: Place) => coneSentence(net, place, coneOf(net, place));
  // A window of 3 × 3 after pooling of 2 × 2 after a window of 3 × 3: 2 · 3 + 2 = 8 rows of x.
  expect(said(DEEP, value(4, 1))).toBe('y4[0,1] = 1 reads 9 cells of y3, and so 64 of x');
  expect(said(DEEP, value(1, 0))).toBe('y1[0,0] = 1 reads 9 cells of x');
  expect(said(DEEP, value(0, 0))).toBe('x[0,0] = 1 is read by 1 cell of y1, and so 1 of y4');
  // All gates are open, and each window has its first cell as the winner.
  expect(said(DEEP, gradient(4, 1))).toBe('dy4[0,1] = 0.125 reaches 9 cells of dy3, and so 49 of dx');
  expect(said(MAX, gradient(2, 0))).toBe('dy2[0,0] = 5 reaches 1 cell of dy1, and so 1 of dx');
  expect(said(MAX, gradient(1, 0))).toBe('dy1[0,0] = 0 reaches no cell of dx');
  expect(said(CONV, { at: 0, of: 'w', side: 'gradient', index: 0 })).toBe('dw[0,0] = 12 sums x · dy1 over all windows');
  expect(coneSentence(MAX, value(1, 1), null)).toBe('y1[0,1] = 3');
});

test('says that a ReLU is closed everywhere, and what no longer matters', () => {
  const dead = (y: Tensor) =>
    netOf(
      [
        ['conv', RELU],
        ['relu', RELU],
      ],
      [X, X, y],
      [X, X, X],
    );
  expect(deadSentence(dead(tensor(2, [0, 0, 0, 0])))).toBe(
    'All ReLUs of layer 2 are closed: y2 no longer depends on x.',
  );
  expect(deadSentence(dead({ ...tensor(2, [0, 0, 0, 1]), stats: { ...NO_STATS, max_abs: 1 } }))).toBeNull();
});

test('cells have names, in links too; a name of no cell is none', () => {
  const [, y1] = MAX.tensors;
  expect(y1 && netCellLabel(y1, 'gradient', 3)).toBe('dy1[1,1]');
  expect(placeText(MAX, gradient(1, 3))).toBe('dy1.3');
  expect(placeOf(MAX, 'dy1.3')).toEqual(gradient(1, 3));
  for (const wrong of ['dy1.4', 'dy3.0', 'y1', 'y1.x', '', undefined, 7]) expect(placeOf(MAX, wrong)).toBeNull();
});

test('weights are cells, too: they have names, explanations and marks', () => {
  const dw = { at: 0, of: 'w', side: 'gradient', index: 3 } as const;
  expect(placeText(CONV, dw)).toBe('dw.3');
  expect(placeOf(CONV, 'dw.3')).toEqual(dw);
  expect(placeOf(CONV, 'b.0')).toEqual({ at: 0, of: 'b', side: 'value', index: 0 });
  expect(placeOf(CONV, 'b.1')).toBeNull();
  expect(explained(CONV, dw)).toEqual(['dw[1,1] = 28', 'It sums x · dy1 over all windows.']);
  expect(explained(CONV, value(1, 3))).toEqual([
    'y1[1,1] = −3',
    'The sum of 4 products of x and w, plus b.',
    'It reads rows 1 to 2, columns 1 to 2 of x.',
  ]);
  expect(explained(CONV, { at: 0, of: 'b', side: 'value', index: 0 })).toEqual([
    'b[0] = 1',
    'It is added to each cell of y1.',
  ]);
  const marks = (place: Place, plane: object) =>
    reachMarks(CONV, { at: 0, side: 'value', slice: 0, channel: 0, ...plane }, place, coneOf(CONV, place)).map(
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
});
