/** A logarithmic axis over whole decades. */

export interface LogAxis {
  /** Exponents of ten at both ends; ascending, at least one decade apart. */
  readonly first: number;
  readonly last: number;
}

export const isPlottable = (value: number): boolean => Number.isFinite(value) && value > 0;

/** The decades around all positive values; 0.1 to 1 where there is none. */
export function axisAround(values: readonly number[]): LogAxis {
  const exponents = values.filter(isPlottable).map(Math.log10);
  if (exponents.length === 0) return { first: -1, last: 0 };
  // The computed logarithm of a power of ten may be off by a rounding error.
  const first = Math.floor(Math.min(...exponents) + 1e-9);
  const last = Math.ceil(Math.max(...exponents) - 1e-9);
  return { first, last: Math.max(last, first + 1) };
}

/** The position of a positive value on the axis, 0..1. */
export function shareOf(axis: LogAxis, value: number): number {
  return (Math.log10(value) - axis.first) / (axis.last - axis.first);
}

/** Exponents to label, at most `most` of them, in even steps that end at the axis's last. */
export function ticksOf({ first, last }: LogAxis, most: number): readonly number[] {
  const step = Math.max(1, Math.ceil((last - first) / Math.max(1, most - 1)));
  const ticks: number[] = [];
  for (let exponent = last; exponent >= first; exponent -= step) ticks.unshift(exponent);
  return ticks;
}
