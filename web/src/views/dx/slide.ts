import { consecutive, type Range, single, upTo } from '../../geometry/axis';
import { groupOfChannel } from '../../geometry/focus';
import { positionOf } from '../../geometry/grid';
import { pixelLabel } from '../../geometry/labels';
import { sourcesOf } from '../../geometry/links';
import { box, isRegion, type Region } from '../../geometry/region';
import type { StepPosition } from '../../geometry/steps';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry } from '../../protocol/problem';
import { stepHighlights } from '../kit/marks';

/** The kernel that slides over the padded dy: w flipped, or by mistake not. */
export type SlidingKernel = 'w_flipped' | 'w_exchanged';

/** The rows and columns of the padded dy, from its first zero on, under the kernel that computes the cell of dx. */
export function windowOnDy(g: Geometry, { row, col }: { readonly row: number; readonly col: number }) {
  return {
    row: { first: row + g.padding.top, step: g.dilation_h, count: g.kh },
    col: { first: col + g.padding.left, step: g.dilation_w, count: g.kw },
  };
}

/** The highlights with what the full convolution has for a cell of dx: the window on the padded dy, the weights on cells of dy. */
export function withWindow(g: Geometry, lit: Highlights | null, kernel: SlidingKernel): Highlights | null {
  if (lit?.cell.tensor !== 'dx') return lit;
  const p = positionOf(g, lit.cell);
  const group = groupOfChannel(g, p.channel);
  const filters = consecutive(group * g.group_k, g.group_k);
  const window = box(g, 'dy_inserted', { ...windowOnDy(g, p), slice: single(p.slice), channel: filters });
  return { ...lit, sources: [...lit.sources, window, weightsOn(g, lit.sources, p.channel, kernel)].filter(isRegion) };
}

/** The cells of the kernel, where it lies, that are on cells of dy. Not flipped, these are other weights. */
function weightsOn(g: Geometry, sources: readonly Region[], channel: number, kernel: SlidingKernel): Region | null {
  const w = sources.find(({ tensor }) => tensor === 'w');
  if (w?.kind !== 'box') return null;
  const flipped = ({ first, step, count }: Range, taps: number): Range => ({
    first: taps - 1 - first,
    step: -step,
    count,
  });
  return box(g, kernel, {
    slice: single(channel),
    row: flipped(w.row, g.kh),
    col: flipped(w.col, g.kw),
    channel: upTo(g.group_k),
  });
}

/** The highlights of a step that computes the cell of dx. */
export const highlightsOfStep = (g: Geometry, cell: Cell): Highlights =>
  stepHighlights(
    cell,
    sourcesOf(g, cell).filter(({ tensor }) => tensor === 'w' || tensor === 'dy'),
  );

/** "Step 6 of 16: the flipped w gives dx[1,1]: 4 of 9 weights are on dy." It fits beside the measured error at 1280 px. */
export function stepSentence(
  g: Geometry,
  { n, row, col }: StepPosition,
  cell: Cell,
  { steps, total, unflipped }: { readonly steps: number; readonly total: number; readonly unflipped: boolean },
): string {
  const dy = sourcesOf(g, cell).find(({ tensor }) => tensor === 'dy');
  const met = dy?.kind === 'box' ? dy.row.count * dy.col.count : 0;
  return `Step ${steps} of ${total}: ${unflipped ? 'w, not flipped,' : 'the flipped w'} gives ${pixelLabel(g, 'dx', { slice: n, row, col })}: ${met} of ${g.kh * g.kw} weights are on dy.`;
}
