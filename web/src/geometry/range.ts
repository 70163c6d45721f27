/** Integer ranges: the values first, first + step, ... (count of them). */
export interface Range {
  readonly first: number;
  /** May be negative; ignored if count is 0 or 1. */
  readonly step: number;
  readonly count: number;
}

export const single = (value: number): Range => ({ first: value, step: 1, count: 1 });
export const upTo = (count: number): Range => ({ first: 0, step: 1, count });
export const consecutive = (first: number, count: number): Range => ({ first, step: 1, count });
const EMPTY: Range = { first: 0, step: 1, count: 0 };

/** Positions t of the range with a value in [0, size), as [start, start + count). */
export function insideSpan(range: Range, size: number): { readonly start: number; readonly count: number } {
  const { first, step, count } = range;
  if (count === 0) return { start: 0, count: 0 };
  if (count === 1 || step === 0) return { start: 0, count: first >= 0 && first < size ? count : 0 };
  const low = step > 0 ? Math.ceil(-first / step) : Math.ceil((first - (size - 1)) / -step);
  const high = step > 0 ? Math.floor((size - 1 - first) / step) : Math.floor(first / -step);
  const start = Math.max(low, 0);
  return { start, count: Math.max(Math.min(high, count - 1) - start + 1, 0) };
}

/** The part of the range within [0, size). */
export function clip(range: Range, size: number): Range {
  const { start, count } = insideSpan(range, size);
  return count === 0 ? EMPTY : { first: range.first + start * range.step, step: range.step, count };
}

/** The same values in ascending order. */
export const ascending = ({ first, step, count }: Range): Range =>
  step >= 0 || count === 0 ? { first, step, count } : { first: first + step * (count - 1), step: -step, count };

export function rangeHas({ first, step, count }: Range, value: number): boolean {
  if (count === 0) return false;
  if (count === 1) return value === first;
  const t = (value - first) / step;
  return Number.isInteger(t) && t >= 0 && t < count;
}

/** Greatest common divisor of two positive integers. */
export function gcd(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
