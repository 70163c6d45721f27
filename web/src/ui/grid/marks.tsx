import type { ReadonlySignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Viewport } from './grid-data';
import './marks.css';

/** Highlights as data: cells and their role. Every such set of a convolution is rows × columns with constant steps. */

export type Area = Readonly<Record<'row' | 'col' | 'rows' | 'cols' | 'rowStep' | 'colStep', number>>;

/**
 * 'focus': the selected cell. 'source': its inputs. 'target': the cells that use it. 'term': one factor of its sum.
 * 'unread': cells that no window reads or no gradient reaches. 'winner': the largest cell of a window. 'pending': cells without a value yet, drawn covered; an area inside another one is a hole. 'wrong': incorrect values.
 */
export type MarkTone = 'focus' | 'source' | 'target' | 'term' | 'unread' | 'winner' | 'pending' | 'wrong';

export interface Mark {
  readonly tone: MarkTone;
  readonly area: Area;
}

export const oneCell = (row: number, col: number): Area => ({ row, col, rows: 1, cols: 1, rowStep: 1, colStep: 1 });

/** For more separate cells only the extent is outlined: single outlines are slow and unreadable. */
const MOST_CELLS = 1500;

/** An SVG path: one outline for adjacent cells, one per run for others. `originRow`, `originCol`: the top left. */
export function areaPath(area: Area, size: number, originRow: number, originCol: number): string {
  const parts: string[] = [];
  for (const rows of runs(area.row, area.rows, area.rowStep)) {
    for (const cols of runs(area.col, area.cols, area.colStep)) {
      const x = round((cols.start - originCol) * size);
      const y = round((rows.start - originRow) * size);
      parts.push(`M${x} ${y}h${round(cols.length * size)}v${round(rows.length * size)}H${x}z`);
      if (parts.length > MOST_CELLS) return areaPath(extent(area), size, originRow, originCol);
    }
  }
  return parts.join('');
}

const extent = ({ row, col, rows, cols, rowStep, colStep }: Area): Area => ({
  ...oneCell(row, col),
  rows: (rows - 1) * rowStep + 1,
  cols: (cols - 1) * colStep + 1,
});

function runs(start: number, count: number, step: number) {
  if (count <= 0) return [];
  if (step === 1) return [{ start, length: count }];
  return Array.from({ length: count }, (_, i) => ({ start: start + i * step, length: 1 }));
}

const round = (pixels: number) => Math.round(pixels * 100) / 100;

/** Below this cell size, in CSS pixels, thick lines would cover the text. */
const FINE_BELOW = 32;

/** Later tones are drawn on top. */
const ORDER: readonly MarkTone[] = ['pending', 'unread', 'winner', 'wrong', 'target', 'source', 'term', 'focus'];

/** More marks of a tone, such as closed gates, are drawn as one path, which is faster. */
const MOST_PATHS = 20;

/** Outlines over a grid. A component of its own that reads the marks, so that a hover re-renders nothing else. */
export function MarkLayer({
  marks,
  view: { row, col, cell, width, height },
}: {
  marks: ReadonlySignal<readonly Mark[]>;
  view: Viewport;
}) {
  const hatch = useId();
  const shapes = ORDER.flatMap((tone) => {
    const paths = marks.value.filter((mark) => mark.tone === tone).map(({ area }) => areaPath(area, cell, row, col));
    const isJoined = paths.length > (tone === 'pending' ? 0 : MOST_PATHS);
    return (isJoined ? [paths.join('')] : paths).map((path) => ({ tone, path }));
  });
  return (
    <svg
      class={cell < FINE_BELOW ? 'marks cover marks--fine' : 'marks cover'}
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
      {shapes.map(({ tone, path }, i) => (
        <g key={i} class={`mark mark--${tone}`}>
          <path d={path} class="mark__halo" />
          <path d={path} class="mark__line" {...(tone === 'unread' ? { fill: `url(#${hatch})` } : {})} />
        </g>
      ))}
    </svg>
  );
}
