import type { ComponentProps } from 'preact';
import { single, upTo } from '../../../geometry/axis';
import { type BoxRanges, box, cellAt, type Focus, type Region } from '../../../geometry/grid';
import { cellName, pixelLabel } from '../../../geometry/labels';
import { sourcesOf, targetsOf } from '../../../geometry/links';
import { type StepPosition, stepCount, stepPosition } from '../../../geometry/steps';
import { windowAt } from '../../../geometry/window';
import type { Highlights } from '../../../look/look-store';
import type { Cell, Geometry, ProcessName, TensorName } from '../../../protocol/problem';
import type { Mark } from '../../../ui/grid/marks';
import { formatExact } from '../../../ui/numbers';
import { Scrubber } from '../../../ui/scrubber/Scrubber';
import { areasAfter, marked, stepHighlights } from '../plane';
import { useDerived, useGeometry, useViewModel } from '../view-model';

/** The sentence before the first step. */
export const NO_STEP = 'No step is done. Press Play or step forward.';

/** The cells and the sentence of the last of `steps` steps of a process, for the filter and channel of `focus`. */
export function frameOf(g: Geometry, process: ProcessName, steps: number, focus: Focus) {
  if (steps === 0) return { focus, highlights: null, sentence: NO_STEP };
  const step = stepPosition(g, process, steps - 1);
  const here = { ...focus, n: step.n };
  const target = process === 'forward' ? 'y' : step.over === 'x' ? 'dx' : 'dy';
  const cell = cellAt(g, target, {
    slice: step.n,
    row: step.row,
    col: step.col,
    channel: target === 'dx' ? focus.c : focus.k,
  });
  const count = `Step ${steps} of ${stepCount(g, process)}`;
  if (!cell) return { focus: here, highlights: null, sentence: count };
  return {
    focus: here,
    highlights: highlightsOf(g, process, cell, step, here),
    sentence: `${count}: ${stepText(g, process, step)}`,
  };
}

function highlightsOf(g: Geometry, process: ProcessName, cell: Cell, step: StepPosition, { k }: Focus) {
  const filter = { slice: single(k), row: upTo(g.kh), col: upTo(g.kw), channel: upTo(g.group_c) };
  const only = (regions: readonly Region[], tensors: readonly string[]) =>
    regions.filter(({ tensor }) => tensors.includes(tensor));
  const list = (tensor: TensorName, ranges: BoxRanges) => [box(g, tensor, ranges)].filter((region) => region !== null);
  switch (process) {
    case 'dx_scatter':
      return stepHighlights(cell, list('w', filter), only(targetsOf(g, cell), ['dx']));
    case 'dw_accumulate': {
      const output = cellAt(g, 'y', { slice: step.n, row: step.row, col: step.col, channel: k });
      const read = output ? only(sourcesOf(g, output), ['x', 'x_padded']) : [];
      return stepHighlights(cell, read, list('dw', { ...filter, slice: upTo(g.k) }));
    }
    case 'db_accumulate': {
      const one = single(0);
      return stepHighlights(cell, [], list('db', { slice: one, row: one, col: one, channel: upTo(g.k) }));
    }
    default:
      return stepHighlights(cell, sourcesOf(g, cell));
  }
}

/** Covers the cells of image `n` that the first `steps` steps have not written yet. */
export function pendingMarks(g: Geometry, process: ProcessName, steps: number, n: number): readonly Mark[] {
  const [rows, cols] = process === 'forward' ? [g.oh, g.ow] : [g.h, g.w];
  return marked('pending', areasAfter(steps - n * rows * cols, rows, cols));
}

/** "y[1,0] reads rows 1 to 3, columns −1 to 1 of x." A step covers all channels or filters. */
function stepText(g: Geometry, process: ProcessName, { n, row, col }: StepPosition) {
  const at = (tensor: TensorName) => pixelLabel(g, tensor, { slice: n, row, col });
  const window = windowText(g, row, col);
  const [each, summed] = g.k > 1 ? [', one filter each', ', summed over the filters,'] : ['', ''];
  switch (process) {
    case 'forward':
      return `${at('y')} reads ${window} of x${each}.`;
    case 'dx_scatter':
      return `${at('dy')} times w${summed} is added to ${window} of dx.`;
    case 'dx_gather':
      return gatherText(g, at('dx'), { n, row, col });
    case 'dw_accumulate':
      return `${at('dy')} times ${window} of x is added to dw${each}.`;
    default:
      return `${at('dy')} is added to db${each}.`;
  }
}

function gatherText(g: Geometry, name: string, { n, row, col }: Pick<StepPosition, 'n' | 'row' | 'col'>) {
  const cell = cellAt(g, 'dx', { slice: n, row, col, channel: 0 });
  const found = cell ? sourcesOf(g, cell).find(({ tensor }) => tensor === 'dy') : undefined;
  if (found?.kind !== 'box') return `no window reads this cell of x, so ${name} is 0.`;
  const windows = found.row.count * found.col.count;
  return `${name} is the sum over ${windows === 1 ? 'the 1 window' : `the ${windows} windows`} of x that read${windows === 1 ? 's' : ''} this cell.`;
}

/** Rows and columns in coordinates of x; those in the padding are negative or past the end. */
export function windowText(g: Geometry, row: number, col: number): string {
  const { rows, cols } = windowAt(g, row, col);
  const span = (word: string, first: number, step: number, count: number) => {
    if (count === 1) return `${word} ${formatExact(first)}`;
    const every = step > 1 ? ` in steps of ${step}` : '';
    return `${word}s ${formatExact(first)} to ${formatExact(first + step * (count - 1))}${every}`;
  };
  const { top, left } = g.padding;
  return `${span('row', rows.first - top, rows.step, rows.count)}, ${span('column', cols.first - left, cols.step, cols.count)}`;
}

/** Playing more steps goes row by row. */
const MOST_SINGLE_STEPS = 256;

/**
 * The player of a view. Its sentence and the outlines are about the cell of the step. While the user points at or pins another
 * cell, the outlines are about that cell, and the sentence says so.
 */
export function StepPlayer({
  highlights,
  onSteps,
  ...player
}: Omit<ComponentProps<typeof Scrubber>, 'note' | 'stride' | 'onChange'> & {
  /** Of the step; null: no step is done. */
  highlights: Highlights | null;
  onSteps: (steps: number) => void;
}) {
  const g = useGeometry();
  const { userHighlights, onPlay } = useViewModel();
  const note = useDerived(() => {
    const cell = userHighlights.value?.cell;
    if (!cell || !highlights || (cell.tensor === highlights.cell.tensor && cell.index === highlights.cell.index))
      return;
    return `Selected: ${cellName(g, cell)}.`;
  }, [g, userHighlights, highlights]);
  return (
    <Scrubber
      {...player}
      note={note.value}
      stride={player.total > MOST_SINGLE_STEPS ? player.row : 1}
      onChange={(steps) => {
        onPlay();
        onSteps(steps);
      }}
    />
  );
}
