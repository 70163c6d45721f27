import { expect, test } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';
import { arrayOf, wordOf } from '../../../web/src/sources/loss';

/** 50 x 50 cells: more than a link contains. */
const NUMBERS = Float32Array.from({ length: 2500 }, (_, i) => i / 7);
const kept = (data: Float32Array, edited = true) => ({ data, edited });
const LINK = 'h=50&w=50&kh=1&kw=1&x=ones~omitted&weights=ones';

test('fills in known values that a link leaves out, and leaves them out again', () => {
  const { problem, look, missing } = parseLink(`${LINK}&dy=values~omitted`, false, {
    x: kept(NUMBERS),
    dy: kept(NUMBERS.map((value) => -value)),
  });
  expect(missing).toEqual([]);
  expect(problem.x).toMatchObject({ data: NUMBERS, edited: true, source: { kind: 'constant' } });
  expect(problem.loss).toMatchObject({ dy: { kind: 'values', shape: [1, 50, 50, 1] } });
  expect(arrayOf(problem.loss)?.[7]).toBe(-1);
  const again = writeLink({ problem, look });
  expect(again.hash).toContain('x=ones~omitted');
  expect(again.omitted).toEqual(['x', 'dy']);
});

test('restores an image, edited or not, and the target of a loss', () => {
  const knownInputs = { x: kept(NUMBERS, false), dy: kept(NUMBERS) };
  const { problem, missing } = parseLink('h=50&w=50&kh=1&kw=1&x=file:a.png&dy=mse~omitted', false, knownInputs);
  expect(missing).toEqual([]);
  expect(problem.x).toMatchObject({ data: NUMBERS, edited: false, source: { kind: 'file', name: 'a.png' } });
  expect(problem.loss).toEqual({ kind: 'mse', target: NUMBERS });
});

test('fills in nothing of another size, and nothing that the link contains', () => {
  const small = kept(NUMBERS.slice(0, 9));
  const { problem, missing } = parseLink(`${LINK}&dy=values~omitted`, false, { x: small, dy: small });
  expect(missing.map(({ input }) => input)).toEqual(['x', 'dy']);
  expect([problem.x.edited, wordOf(problem.loss)]).toEqual([false, 'ones']);
  const said = parseLink('h=50&w=50&kh=1&kw=1&x=ones&dy=ones', false, { x: kept(NUMBERS), dy: kept(NUMBERS) });
  expect([said.problem.x.edited, wordOf(said.problem.loss)]).toEqual([false, 'ones']);
});

test('keeps the given values of a problem that needs a confirmation', () => {
  const knownInputs = { x: kept(NUMBERS) };
  const { fault, knownInputs: still } = parseLink('h=3000&w=3000&kh=1&kw=1&x=ones~omitted', false, knownInputs);
  expect(fault).toBe('costly');
  expect(still).toBe(knownInputs);
});
