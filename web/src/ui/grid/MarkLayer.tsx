import type { ReadonlySignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Mark, MarkTone } from './marks';
import { areaPath } from './marks';
import './marks.css';

interface MarkLayerProps {
  readonly marks: ReadonlySignal<readonly Mark[]>;
  /** Cell size in CSS pixels. */
  readonly size: number;
  /** The cell at the layer's top left; fractional while a map is panned. */
  readonly originRow: number;
  readonly originCol: number;
  readonly width: number;
  readonly height: number;
}

/** Below this cell size, in CSS pixels, thick lines would cover the text. */
const FINE_BELOW = 32;

/** Later tones are drawn on top. */
const ORDER: readonly MarkTone[] = ['pending', 'unread', 'wrong', 'target', 'source', 'term', 'focus'];

/** Outlines over a grid. A component of its own that reads the marks, so that a hover re-renders nothing else. */
export function MarkLayer({ marks, size, originRow, originCol, width, height }: MarkLayerProps) {
  const hatch = useId();
  const sorted = [...marks.value].sort((a, b) => ORDER.indexOf(a.tone) - ORDER.indexOf(b.tone));
  return (
    <svg
      class={size < FINE_BELOW ? 'marks marks--fine' : 'marks'}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <defs>
        <pattern id={hatch} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0v7" class="marks__hatch" />
        </pattern>
      </defs>
      {sorted.map(({ tone, area }, i) => {
        const path = areaPath(area, size, originRow, originCol);
        return (
          <g key={i} class={`mark mark--${tone}`}>
            <path d={path} class="mark__halo" />
            <path d={path} class="mark__line" {...(tone === 'unread' ? { fill: `url(#${hatch})` } : {})} />
          </g>
        );
      })}
    </svg>
  );
}
