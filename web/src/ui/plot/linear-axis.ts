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
