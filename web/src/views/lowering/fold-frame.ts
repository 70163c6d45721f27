import { cellAt, windowCells } from '../../geometry/grid';
import { positionLabel } from '../../geometry/labels';
import { outputOfRow } from '../../geometry/matrix';
import { consecutive, single } from '../../geometry/range';
import { box, matrixRow } from '../../geometry/region';
import { tapsInPadding } from '../../geometry/window';
import type { Highlights } from '../../look/look-store';
import type { FoldMode, Geometry, Tensor } from '../../protocol/problem';
import { formatCount } from '../../ui/quantities';

/** What the last row that was folded back looks like: the row of dx_col, and its window of dx. */
export function frameOf(g: Geometry, row: number, group: number): Highlights | null {
  const { n, row: i, col: j } = outputOfRow(g, row);
  const cell = cellAt(g, 'dy', { slice: n, row: i, col: j, channel: group * g.group_k });
  if (!cell) return null;
  const window = box(g, 'dx', {
    slice: single(n),
    row: { first: i * g.stride_h - g.padding.top, step: g.dilation_h, count: g.kh },
    col: { first: j * g.stride_w - g.padding.left, step: g.dilation_w, count: g.kw },
    channel: consecutive(group * g.group_c, g.group_c),
  });
  const line = box(g, 'dx_col', matrixRow(group, row, windowCells(g)));
  return { cell, pinned: true, sources: line ? [line] : [], targets: window ? [window] : [], term: [] };
}

const DEEDS: Readonly<Record<FoldMode, string>> = {
  sum: 'is added to what is there',
  average: 'is averaged with what came before',
  overwrite: 'replaces what is there',
};

export function sentenceOf(g: Geometry, row: number, mode: FoldMode): string {
  const { n, row: i, col: j } = outputOfRow(g, row);
  const name = positionLabel(g, 'y', { slice: n, row: i, col: j, channel: 0 });
  const lost = tapsInPadding(g, i, j);
  const padding = lost > 0 ? ` ${lost} of ${g.kh * g.kw} taps lie in the padding: nowhere to go.` : '';
  return `Row ${row} flies home to the window of ${name}. Each copy ${DEEDS[mode]}.${padding}`;
}

export function subtitleOf(mode: FoldMode, done: number, total: number): string {
  const rows = done === total ? 'all rows' : `${formatCount(done)} of ${formatCount(total)} rows`;
  return mode === 'sum' ? rows : `${rows}, not the gradient`;
}

export function wrongText(mode: FoldMode, count: number, of: number): string {
  if (count === 0) return 'So far no cell differs from the sum.';
  const why = mode === 'average' ? 'cells that more windows read are made too small' : 'only the last window is heard';
  return `${formatCount(count)} of ${formatCount(of)} cells differ from the sum (outlined): ${why}.`;
}

/** A sum on its way may be larger than the finished one: the colours reach as far as either. */
export function inColoursOf(tensor: Tensor, final: Tensor): Tensor {
  return final.stats.max_abs < tensor.stats.max_abs ? tensor : { ...tensor, stats: final.stats };
}
