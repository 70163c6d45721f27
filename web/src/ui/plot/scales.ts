import { formatScientific, powerOfTen } from '../quantities';

export interface Axis {
  /** The position of a value, 0..1. */
  readonly share: (value: number) => number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
  readonly isOn: (value: number) => boolean;
  /** A value with a line of its own style. */
  readonly zero?: number;
}

export function linearAxis(first: number, last: number, step: number, textOf: (value: number) => string): Axis {
  const ticks = Array.from({ length: Math.round((last - first) / step) + 1 }, (_, i) => {
    // Rounds away the error of summed steps: 0.1 + 0.2 is labeled 0.3.
    const value = Number((first + i * step).toPrecision(12));
    return { value, text: textOf(value) };
  });
  return { share: (value) => (value - first) / (last - first), ticks, isOn: Number.isFinite };
}

/** A linear axis with round ends around all values, with at most about `most` round labels. */
export function linearAxisAround(values: readonly number[], most: number): Axis {
  const finite = values.filter(Number.isFinite);
  const [low, high] = finite.length === 0 ? [0, 1] : [Math.min(...finite), Math.max(...finite)];
  const span = high > low ? high - low : Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(span / most));
  const step = power * ([1, 2, 5].find((round) => span / (round * power) <= most) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return linearAxis(first * step, last * step, step, (value) => formatScientific(value, 3));
}

const isPlottable = (value: number) => Number.isFinite(value) && value > 0;

/**
 * A logarithmic axis over whole decades, at least one, around all positive values: 0.1 to 1 where there is none. At most `most`
 * labels, in even steps that end at the last decade.
 */
export function logAxis(values: readonly number[], most: number): Axis {
  const exponents = values.filter(isPlottable).map(Math.log10);
  const around = exponents.length > 0 ? exponents : [-1, 0];
  // The computed logarithm of a power of ten may be off by a rounding error.
  const first = Math.floor(Math.min(...around) + 1e-9);
  const last = Math.max(first + 1, Math.ceil(Math.max(...around) - 1e-9));
  const step = Math.max(1, Math.ceil((last - first) / Math.max(1, most - 1)));
  const ticks = [];
  for (let exponent = last; exponent >= first; exponent -= step) {
    ticks.unshift({ value: 10 ** exponent, text: powerOfTen(exponent) });
  }
  return { share: (value) => (Math.log10(value) - first) / (last - first), ticks, isOn: isPlottable };
}
