/** Statistics of run times. */

export interface Summary {
  readonly median: number;
  /** Lower and upper quartile. */
  readonly low: number;
  readonly high: number;
}

export function summaryOf(samples: readonly number[]): Summary | null {
  if (samples.length === 0) return null;
  const sorted = samples.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** Linear interpolation, as NumPy does by default. */
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const [left = Number.NaN, right = left] = [sorted[below], sorted[below + 1]];
  return left + (right - left) * (at - below);
}

/** Billions of floating-point operations per second. */
export const gigaflops = (flops: number, milliseconds: number): number => flops / milliseconds / 1e6;

/** Whether the interquartile ranges do not overlap. */
export const isClear = (a: Summary, b: Summary): boolean => a.high < b.low || b.high < a.low;
