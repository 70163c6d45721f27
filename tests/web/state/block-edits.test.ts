import { expect, test } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import type { Geometry } from '../../../web/src/protocol/problem';
import { inputOf, type Problem } from '../../../web/src/state/problem';
import { type Block, editBlock, fitOf } from '../../../web/src/state/value-edits';
import { layerOf } from '../support/problems';

// The expected positions are written out, in both layouts.

const opened = (hash: string): Problem => parseLink(hash).problem;

/** The sizes that determine positions; no padding, stride 1. */
function geometryOf(problem: Problem): Geometry {
  const { desc } = layerOf(problem);
  const { h, w, c, k, kh, kw, groups } = desc;
  const sizes = { oh: h - kh + 1, ow: w - kw + 1, group_c: c / groups, group_k: k / groups };
  return { ...desc, ...sizes } as unknown as Geometry;
}

const block = (problem: Problem, tensor: Block['tensor'], index: number, rows: number, cols: number): Block => ({
  ...{ tensor, index, rows, cols, geometry: geometryOf(problem) },
  values: Float32Array.from({ length: rows * cols }, (_, i) => 100 + i),
});

function changed(before: Problem, edited: ReturnType<typeof editBlock>, tensor: 'x' | 'w' | 'b') {
  if ('error' in edited) throw new Error(edited.error.message);
  const old = inputOf(before, tensor)?.data;
  const entries = [...(inputOf(edited.problem, tensor)?.data ?? [])].map((value, index) => [index, value] as const);
  return Object.fromEntries(entries.filter(([index, value]) => value !== old?.[index]));
}

test('pastes a block into the slice of its first cell, row by row, in both layouts', () => {
  // x is 3 by 4 with two channels: the cell in row 1, column 2 of channel 1 is the 13th of nhwc, the 18th of nchw.
  const nhwc = opened('h=3&w=4&c=2&kh=1&x=ones&weights=ones');
  expect(changed(nhwc, editBlock(nhwc, 0, block(nhwc, 'x', 13, 2, 2), false, null), 'x')).toEqual({
    13: 100,
    15: 101,
    21: 102,
    23: 103,
  });
  const nchw = opened('layout=nchw&h=3&w=4&c=2&kh=1&x=ones&weights=ones');
  expect(changed(nchw, editBlock(nchw, 0, block(nchw, 'x', 18, 2, 2), false, null), 'x')).toEqual({
    18: 100,
    19: 101,
    22: 102,
    23: 103,
  });
  // w is 2 by 2 of two channels and three filters: w[0,1,1,2] is the 11th of HWIO.
  const deep = opened('h=3&w=4&c=2&k=3&kh=2&x=ones&weights=ones&bias=ones');
  expect(changed(deep, editBlock(deep, 0, block(deep, 'w', 11, 2, 1), false, null), 'w')).toEqual({ 11: 100, 23: 101 });
  expect(changed(deep, editBlock(deep, 0, block(deep, 'b', 1, 1, 2), false, null), 'b')).toEqual({ 1: 100, 2: 101 });
});

test('leaves out values that do not fit, or grows the tensor', () => {
  const problem = opened('h=3&w=4&kh=2&x=ones&weights=ones');
  const large = block(problem, 'x', 6, 3, 4);
  expect(fitOf(layerOf(problem).desc, large)).toEqual({ row: 1, col: 2, over: [1, 2], grown: { h: 4, w: 6 } });
  expect(changed(problem, editBlock(problem, 0, large, false, null), 'x')).toEqual({
    6: 100,
    7: 101,
    10: 104,
    11: 105,
  });
  const grown = editBlock(problem, 0, large, true, null);
  if ('error' in grown) throw new Error(grown.error.message);
  expect(layerOf(grown.problem).desc).toMatchObject({ h: 4, w: 6 });
  expect([...grown.problem.x.data.subarray(0, 12)]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 100, 101, 102, 103]);
  expect(grown.problem.x.edited).toBe(true);
  // The sizes of dy follow from the others.
  expect(fitOf(layerOf(problem).desc, block(problem, 'dy', 0, 9, 9))).toMatchObject({ over: [7, 6], grown: null });
  // A kernel cannot grow beyond x.
  expect(editBlock(problem, 0, block(problem, 'w', 0, 9, 9), true, null)).toMatchObject({ error: { field: 'kh' } });
});

test('edits the computed dy, and refuses a dy with hidden values', () => {
  const problem = opened('h=3&w=3&kh=2&x=ones&weights=ones&dy=ones');
  const at = block(problem, 'dy', 1, 2, 1);
  const edited = editBlock(problem, 0, at, false, Float32Array.of(1, 2, 3, 4));
  if ('error' in edited) throw new Error(edited.error.message);
  expect(edited.problem.loss).toMatchObject({ dy: { kind: 'values', data: Float32Array.of(1, 100, 3, 101) } });
  expect(editBlock(problem, 0, at, false, null)).toMatchObject({ error: { field: 'dy' } });
  expect(editBlock(problem, 0, at, false, Float32Array.of(1, Number.NaN, 3, 4))).toMatchObject({
    error: { field: 'dy' },
  });
});

test('changes nothing if the cell no longer exists', () => {
  const before = opened('h=9&w=9&kh=2&x=ones&weights=ones');
  const now = opened('h=3&w=3&kh=2&x=ones&weights=ones');
  const gone = { ...block(now, 'x', 80, 1, 1), geometry: geometryOf(before) };
  expect(fitOf(layerOf(now).desc, gone)).toBeNull();
  expect(editBlock(now, 0, gone, false, null)).toMatchObject({ error: { field: 'x' } });
  expect(editBlock(opened('h=3&kh=2&x=ones&weights=ones'), 0, block(before, 'b', 0, 1, 1), false, null)).toHaveProperty(
    'error',
  );
});
