/** A linear axis with round ends. */

export interface LinearAxis {
  readonly first: number;
  readonly last: number;
  /** Distance of two labels. */
  readonly step: number;
}

/** An axis around all values with at most about `most` round labels. */
export function linearAxisAround(values: readonly number[], most: number): LinearAxis {
  const finite = values.filter(Number.isFinite);
  const [low, high] = finite.length === 0 ? [0, 1] : [Math.min(...finite), Math.max(...finite)];
  const span = high > low ? high - low : Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(span / most));
  const step = power * ([1, 2, 5].find((round) => span / (round * power) <= most) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return { first: first * step, last: last * step, step };
}

export const shareOfLinear = ({ first, last }: LinearAxis, value: number): number => (value - first) / (last - first);

export function ticksOfLinear({ first, last, step }: LinearAxis): readonly number[] {
  const count = Math.round((last - first) / step);
  // Rounds away the error of summed steps: 0.1 + 0.2 is labeled 0.3.
  return Array.from({ length: count + 1 }, (_, i) => Number((first + i * step).toPrecision(12)));
}

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
