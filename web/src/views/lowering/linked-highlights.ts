import { single, upTo } from '../../geometry/axis';
import { type Focus, groupOfChannel, groupOfFilter } from '../../geometry/focus';
import { cellAt, type Position, positionOf } from '../../geometry/grid';
import { positionLabel } from '../../geometry/labels';
import { sourcesOf } from '../../geometry/links';
import { columnOfTap, copiesOf, outputOfRow, rowOfOutput, tapOfColumn } from '../../geometry/matrix';
import { box, matrixColumn, sameCell } from '../../geometry/region';
import { pixelOfColumn } from '../../geometry/rules';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry } from '../../protocol/problem';
import { stepHighlights } from '../kit/marks';
import type { Follow } from './choice';

/** The highlights on x and x_col for a cell, and their sentence. */
interface LinkedHighlights {
  readonly highlights: Highlights;
  /** The slices that show it. */
  readonly focus: Focus;
  readonly sentence: string;
}

/** A part of x_col: a row (a window), a column (a tap), or the copies of a pixel of the padded x. */
type MatrixPart = { readonly group: number } & (
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'column'; readonly column: number }
  | { readonly kind: 'copies'; readonly padded: Position }
);

/** The brush of a cell that is in x_col; else of an example. `last` is the row that was copied last. */
export function linkedHighlightsOf(
  g: Geometry,
  cell: Cell | null,
  follow: Follow,
  focus: Focus,
  last: number,
): LinkedHighlights {
  const part = cell && partOf(g, cell, follow);
  if (!cell || !part) return highlightsOf(g, exampleOf(g, follow, focus, last), focus);
  const { highlights, ...found } = highlightsOf(g, part, focus);
  const term = cell.tensor === 'x_col' ? sameCell(g, 'x_padded', pixelOf(g, positionOf(g, cell))) : [];
  return { ...found, highlights: { ...highlights, cell, term } };
}

function partOf(g: Geometry, cell: Cell, follow: Follow): MatrixPart | null {
  const p = positionOf(g, cell);
  switch (cell.tensor) {
    case 'x_col': {
      const group = p.slice;
      if (follow === 'row') return { group, kind: 'row', row: p.row };
      if (follow === 'column') return { group, kind: 'column', column: p.col };
      return { group, kind: 'copies', padded: pixelOf(g, p) };
    }
    case 'x':
    case 'dx':
      return { group: groupOfChannel(g, p.channel), kind: 'copies', padded: inPadded(g, p) };
    case 'x_padded':
      return { group: groupOfChannel(g, p.channel), kind: 'copies', padded: p };
    case 'y':
    case 'dy': {
      const row = rowOfOutput(g, p);
      return { group: groupOfFilter(g, p.channel), kind: 'row', row };
    }
    case 'w':
    case 'dw':
      return { group: groupOfFilter(g, p.slice), kind: 'column', column: columnOfTap(g, p) };
    default:
      return null;
  }
}

/** The position in x_padded of a position in x. */
const inPadded = ({ padding: { top, left } }: Geometry, p: Position): Position => ({
  ...p,
  row: p.row + top,
  col: p.col + left,
});

/** The source pixel of an entry of x_col, in x_padded. */
const pixelOf = (g: Geometry, entry: Position): Position => inPadded(g, pixelOfColumn(g, entry));

/** The example without a selected cell: the last row copied, the middle tap, or the middle pixel. */
function exampleOf(g: Geometry, follow: Follow, { n, c, k }: Focus, last: number): MatrixPart {
  const group = groupOfFilter(g, k);
  if (follow === 'row') return { group, kind: 'row', row: Math.max(last, 0) };
  if (follow === 'column') {
    const channel = c % g.group_c;
    return { group, kind: 'column', column: columnOfTap(g, { row: g.kh >> 1, col: g.kw >> 1, channel }) };
  }
  const pixel = { slice: n, row: g.h >> 1, col: g.w >> 1, channel: c };
  return { group, kind: 'copies', padded: inPadded(g, pixel) };
}

function highlightsOf(g: Geometry, part: MatrixPart, focus: Focus): LinkedHighlights {
  const { group } = part;
  const filter = group * g.group_k;
  const inGroup = (channel: number) => group * g.group_c + channel;
  if (part.kind === 'row') {
    const { n, row, col } = outputOfRow(g, part.row);
    const position = { slice: n, row, col, channel: filter };
    const cell = cellAt(g, 'y', position) ?? { tensor: 'y', index: 0 };
    const read = sourcesOf(g, cell).filter(({ tensor }) => tensor === 'x_padded' || tensor === 'x_col');
    const name = positionLabel(g, 'y', position);
    return {
      highlights: stepHighlights(cell, read),
      focus: { n, c: groupOfChannel(g, focus.c) === group ? focus.c : inGroup(0), k: filter },
      sentence: `Row ${part.row} of x_col is the window of ${name}: ${g.kh} × ${g.kw} cells${perChannel(g)}.`,
    };
  }
  if (part.kind === 'column') {
    const tap = tapOfColumn(g, part.column);
    const cell = cellAt(g, 'w', { ...tap, slice: filter }) ?? { tensor: 'w', index: 0 };
    const shifted = box(g, 'x_padded', {
      slice: upTo(g.n),
      row: { first: tap.row * g.dilation_h, step: g.stride_h, count: g.oh },
      col: { first: tap.col * g.dilation_w, step: g.stride_w, count: g.ow },
      channel: single(inGroup(tap.channel)),
    });
    const column = box(g, 'x_col', matrixColumn(group, part.column));
    const name = positionLabel(g, 'w', { ...tap, slice: filter });
    return {
      highlights: stepHighlights(
        cell,
        [shifted, column].filter((region) => region !== null),
      ),
      focus: { ...focus, c: inGroup(tap.channel), k: filter },
      sentence: `Column ${part.column} of x_col holds every pixel that ${name} multiplies, one per window.`,
    };
  }
  const { padded } = part;
  const inX = { ...padded, row: padded.row - g.padding.top, col: padded.col - g.padding.left };
  const cell = cellAt(g, 'x', inX) ?? cellAt(g, 'x_padded', padded) ?? { tensor: 'x', index: 0 };
  const copies = copiesOf(g, 'x_col', padded);
  return {
    highlights: stepHighlights(cell, sameCell(g, 'x_padded', padded), copies ? [copies] : []),
    focus: { n: padded.slice, c: padded.channel, k: filter },
    sentence: `${positionLabel(g, 'x', inX)} ${copiesText(copies?.count ?? 0)}.`,
  };
}

function copiesText(count: number): string {
  if (count === 0) return 'is in no window, so it is not in x_col';
  if (count === 1) return 'is in x_col once: one window reads it';
  return `is in x_col ${count} times, once for each window that reads it`;
}

const perChannel = ({ group_c }: Geometry): string => (group_c > 1 ? ` of each of ${group_c} channels` : '');
