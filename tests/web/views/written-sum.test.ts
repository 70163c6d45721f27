import { afterEach, expect, it } from 'vitest';
import type { Tensors } from '../../../web/src/protocol/messages';
import { hasHiddenValues } from '../../../web/src/ui/numbers';
import { sumOf, sumText, writtenSum } from '../../../web/src/views/shared/written-sum';
import { makeDesc } from '../contract/requests';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { tensorOf } from '../support/alone';

// A window that covers all of x: y is one number. How cells of dx, dw and db are written is in tests/web/page/sum-line.test.ts.

const { NaN: UNKNOWN, POSITIVE_INFINITY: ANY_ROOM } = Number;
const ONES = Array<number>(9).fill(1);
const RAMP = [0, 1, 2, 3, 4, 5, 6, 7, 8];

interface Case {
  readonly x: readonly number[];
  readonly w: readonly number[];
  readonly y: number;
  readonly bias?: number;
  /** Channels of x and w. */
  readonly c?: number;
}

function sum({ x, w, y, bias, c = 1 }: Case) {
  const size = Math.sqrt(x.length / c);
  const square = (values: readonly number[]) => tensorOf([1, size, size], values);
  const tensors: Tensors = { x: square(x), w: square(w), y: tensorOf([1, 1, 1], [y]) };
  const b = bias === undefined ? {} : { b: tensorOf([1, 1, 1], [bias]) };
  const g = geometryOf(makeDesc({ h: size, w: size, c, kh: size, kw: size }));
  const found = sumOf(g, { ...tensors, ...b }, { tensor: 'y', index: 0 });
  if (!found) throw new Error('y has no sum');
  return found;
}

/** As the board writes it in so many characters. */
function inRoom(of: Case, room: number): string {
  const { label } = sum(of);
  const { added, result } = writtenSum(sum(of), room);
  const terms = added.map(({ factors }) => factors.map(({ text }) => text).join('·')).join(' + ');
  return [label, terms, ...(result === null ? [] : [result])].filter((part) => part !== '').join(' = ');
}

afterEach(() => {
  hasHiddenValues.value = false;
});

const RAMP_SUM = { x: RAMP, w: ONES, y: 36 };
const ALL = '1·1 + 2·1 + 3·1 + 4·1 + 5·1 + 6·1 + 7·1 + 8·1';
const FRACTIONS = { x: [-1, 0.5, 1 / 3, 0], w: [2, -3, 1, 5], y: -19 / 6 };

it.each<readonly [string, Case, number, string]>([
  ['without the product of 0', RAMP_SUM, ANY_ROOM, `y[0,0] = ${ALL} = 36`],
  ['with the bias last', { ...RAMP_SUM, bias: 2, y: 38 }, ANY_ROOM, `y[0,0] = ${ALL} + 2 = 38`],
  // Of 59 characters 50: four terms, and the rest in words, have 46.
  ['cut to its room', RAMP_SUM, 50, 'y[0,0] = 1·1 + 2·1 + 3·1 + 4·1 + … 4 more = 36'],
  ['cut before the bias', { ...RAMP_SUM, bias: 2, y: 38 }, 50, 'y[0,0] = 1·1 + 2·1 + 3·1 + … 5 more + 2 = 38'],
  ['without any term, where none fits', RAMP_SUM, 25, 'y[0,0] = … 8 more = 36'],
  ['with three digits, the result with four', FRACTIONS, ANY_ROOM, 'y[0,0] = (−1)·2 + 0.5·(−3) + 0.333·1 = −3.167'],
  ['with all products 0', { x: [0, 3, 0, 0], w: [1, 0, 2, 5], y: 0 }, ANY_ROOM, 'y[0,0] = 0'],
  ['with all products 0 and a bias', { x: [0], w: [1], bias: 4, y: 4 }, ANY_ROOM, 'y[0,0] = 4'],
  [
    'with a product of 0 that is not 0',
    { x: [Number.POSITIVE_INFINITY], w: [0], y: UNKNOWN },
    30,
    'y[0,0] = ∞·0 = NaN',
  ],
])('a sum is written %s', (_name, of, room, text) => {
  expect(inRoom(of, room)).toBe(text);
  if (!text.includes('…')) expect(sumText(sum(of))).toBe(text);
});

it('a sum of more terms than are read is cut on the board, and has no text', () => {
  const many = Array<number>(3 * 20 * 20).fill(1);
  const of = { x: many, w: many, y: 1200, c: 3 };
  expect(inRoom(of, 37)).toBe('y[0,0] = 1·1 + … 1,199 more = 1200');
  expect(sumText(sum(of), 2000)).toBeNull();
});

it('the text has so many terms at most', () => {
  expect(sumText(sum(RAMP_SUM), 7)).toBeNull();
  expect(sumText(sum(RAMP_SUM), 8)).toBe(`y[0,0] = ${ALL} = 36`);
});

it('a hidden value is told, and "?" in the text', () => {
  const of = { x: [1, 2, 0, 0], w: [3, 4, 0, 0], y: UNKNOWN };
  expect([sum(of).isHidden, sumText(sum(of))]).toEqual([false, 'y[0,0] = 1·3 + 2·4 = NaN']);
  hasHiddenValues.value = true;
  expect([sum(of).isHidden, sumText(sum(of))]).toEqual([true, 'y[0,0] = 1·3 + 2·4 = ?']);
});
