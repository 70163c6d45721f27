import { expect, test } from 'vitest';
import { reachesOf, runsOf } from '../../../web/src/geometry/reach';
import { makeDesc } from '../contract/requests';
import { geometryOf } from './arbitrary-geometry';

const make = (change: Parameters<typeof makeDesc>[0]) => geometryOf(makeDesc(change));
const conv = (h: number, c = 1, k = 1, more = {}) => make({ h, w: h, c, k, kh: 3, kw: 3, ...more });
const pool = (h: number, c = 1) => make({ h, w: h, c, k: c, groups: c, kh: 2, kw: 2, stride_h: 2, stride_w: 2 });
const relu = (h: number, c = 1) => make({ h, w: h, c, k: c, groups: c, kh: 1, kw: 1 });

/** conv 3 -> ReLU -> pooling 2 -> conv 3: 12 -> 10 -> 10 -> 5 -> 3. */
const FOUR = [conv(12), relu(10), pool(10), conv(5)];

const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
const at = (row: number, col: number, channel = 0) => ({ slice: 0, row, col, channel });

test('the receptive field of the last cell [1,2] through four layers', () => {
  const reaches = reachesOf(FOUR, 4, at(1, 2));
  // 3 × 3 of the pooled, 6 × 6 before pooling, 8 × 8 of x.
  expect(reaches[3]).toMatchObject({ rows: from(1, 3), cols: from(2, 3) });
  expect(reaches[2]).toMatchObject({ rows: from(2, 6), cols: from(4, 6) });
  expect(reaches[1]).toEqual(reaches[2]);
  expect(reaches[0]).toMatchObject({ rows: from(2, 8), cols: from(4, 8) });
});

test('the part of the output that a corner and a middle cell of x reach', () => {
  const corner = reachesOf(FOUR, 0, at(0, 0));
  expect(corner.map(({ rows }) => rows)).toEqual([[0], [0], [0], [0], [0]]);
  const middle = reachesOf(FOUR, 0, at(6, 6));
  expect(middle.map(({ rows }) => rows)).toEqual([[6], from(4, 3), from(4, 3), [2, 3], [0, 1, 2]]);
});

test('a cell in between has cells on both sides', () => {
  const reaches = reachesOf(FOUR, 3, at(4, 0));
  expect(reaches.map(({ rows, cols }) => [rows, cols])).toEqual([
    [from(8, 4), from(0, 4)],
    [from(8, 2), from(0, 2)],
    [from(8, 2), from(0, 2)],
    [[4], [0]],
    [[2], [0]],
  ]);
});

test('dilation leaves gaps, and a cell that no window reads reaches nothing', () => {
  const dilated = reachesOf([conv(7, 1, 1, { dilation_h: 2, dilation_w: 2 })], 1, at(0, 1));
  expect(dilated[0]).toMatchObject({ rows: [0, 2, 4], cols: [1, 3, 5] });
  const strided = reachesOf([conv(8, 1, 1, { stride_h: 2, stride_w: 2 })], 0, at(7, 0));
  expect(strided[1]).toMatchObject({ rows: [], cols: [0] });
});

test('a convolution mixes the channels of a group, pooling none', () => {
  const layers = [conv(6, 4, 4, { groups: 2 }), pool(4, 4)];
  expect(reachesOf(layers, 2, at(0, 0, 3)).map(({ channels }) => channels)).toMatchObject([
    { first: 2, count: 2 },
    { first: 3, count: 1 },
    { first: 3, count: 1 },
  ]);
  expect(reachesOf(layers, 0, at(0, 0, 1))[2]).toMatchObject({ channels: { first: 0, count: 2 } });
});

test('runs of adjacent lines', () => {
  expect(runsOf([1, 2, 3, 6, 8, 9])).toMatchObject([
    { first: 1, count: 3 },
    { first: 6, count: 1 },
    { first: 8, count: 2 },
  ]);
  expect(runsOf([])).toEqual([]);
});
