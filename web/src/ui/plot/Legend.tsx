import type { ComponentChildren } from 'preact';
import { type Series, textAt } from './Plot';

interface LegendProps {
  readonly series: readonly Series[];
  /** The x of the values beside the names. */
  readonly at: number;
  /** The point shape of a series; none for curves. */
  readonly dot?: (kind: number) => ComponentChildren;
}

export const Legend = ({ series, at, dot }: LegendProps) => (
  <ul class="plot__legend">
    {series.map(({ name, points }, i) => (
      <li key={name} class={`plot__key plot__series--${i}`}>
        <svg width="34" height="14" aria-hidden="true">
          <path class="plot__line" d="M1 7H33" />
          {dot?.(i)}
        </svg>
        {name}
        <span class="plot__value">{textAt(points, at, 2)}</span>
      </li>
    ))}
  </ul>
);
