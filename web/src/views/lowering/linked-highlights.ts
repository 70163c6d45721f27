import { single, upTo } from '../../geometry/axis';
import type { Focus } from '../../geometry/focus';
import { cellAt, type Position, positionOf } from '../../geometry/grid';
import { positionLabel } from '../../geometry/labels';
import { sourcesOf } from '../../geometry/links';
import { columnOfTap, copiesOf, outputOfRow, rowOfOutput, tapOfColumn } from '../../geometry/matrix';
import { box, cellBox, isRegion, matrixColumn, type Region } from '../../geometry/region';
import { pixelOfColumn } from '../../geometry/rules';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry } from '../../protocol/problem';

import type { Follow } from './choice';

/** The highlights on x and x_col for a cell, and their sentence. */
export interface LinkedHighlights {
  readonly highlights: Highlights;
  /** The slices that show it. */
  readonly focus: Focus;
  readonly sentence: string;
}

/** A part of x_col: a row (a window), a column (a tap), or the copies of a pixel of the padded x. */
type MatrixPart =
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'column'; readonly column: number }
  | { readonly kind: 'copies'; readonly padded: Position };

/** The brush of a cell that is in x_col; else of an example. `last` is the row that was copied last. */
export function linkedHighlightsOf(
  g: Geometry,
  cell: Cell | null,
  follow: Follow,
  focus: Focus,
  last: number,
): LinkedHighlights {
  const group = Math.floor(focus.k / g.group_k);
  const found = cell && partOf(g, cell, follow);
  if (cell && found) return highlightsOf(g, found.place, found.group, { ...focus }, cell);
  return highlightsOf(g, exampleOf(g, follow, focus, last), group, focus, null);
}

function partOf(
  g: Geometry,
  cell: Cell,
  follow: Follow,
): { readonly place: MatrixPart; readonly group: number } | null {
  const p = positionOf(g, cell);
  const ofFilter = (filter: number) => Math.floor(filter / g.group_k);
  const ofChannel = (channel: number) => Math.floor(channel / g.group_c);
  switch (cell.tensor) {
    case 'x_col':
      return { place: partInColumns(g, p, follow), group: p.slice };
    case 'x':
    case 'dx': {
      const padded = { ...p, row: p.row + g.padding.top, col: p.col + g.padding.left };
      return { place: { kind: 'copies', padded }, group: ofChannel(p.channel) };
    }
    case 'x_padded':
      return { place: { kind: 'copies', padded: p }, group: ofChannel(p.channel) };
    case 'y':
    case 'dy': {
      const row = rowOfOutput(g, p);
      return { place: { kind: 'row', row }, group: ofFilter(p.channel) };
    }
    case 'w':
    case 'dw':
      return { place: { kind: 'column', column: columnOfTap(g, p) }, group: ofFilter(p.slice) };
    default:
      return null;
  }
}

function partInColumns(g: Geometry, p: Position, follow: Follow): MatrixPart {
  if (follow === 'row') return { kind: 'row', row: p.row };
  if (follow === 'column') return { kind: 'column', column: p.col };
  const pixel = pixelOfColumn(g, p);
  return {
    kind: 'copies',
    padded: { ...pixel, row: pixel.row + g.padding.top, col: pixel.col + g.padding.left },
  };
}

/** The example without a selected cell: the last row copied, the middle tap, or the middle pixel. */
function exampleOf(g: Geometry, follow: Follow, { n, c }: Focus, last: number): MatrixPart {
  if (follow === 'row') return { kind: 'row', row: Math.max(last, 0) };
  const channel = c % g.group_c;
  if (follow === 'column') {
    return { kind: 'column', column: columnOfTap(g, { row: g.kh >> 1, col: g.kw >> 1, channel }) };
  }
  const [row, col] = [g.padding.top + (g.h >> 1), g.padding.left + (g.w >> 1)];
  return { kind: 'copies', padded: { slice: n, row, col, channel: c } };
}

function highlightsOf(
  g: Geometry,
  place: MatrixPart,
  group: number,
  focus: Focus,
  pointed: Cell | null,
): LinkedHighlights {
  const filter = group * g.group_k;
  const inGroup = (channel: number) => group * g.group_c + channel;
  const make = (
    cell: Cell,
    sources: readonly (Region | null)[],
    targets: readonly Region[],
    at: Focus,
    text: string,
  ) => ({
    highlights: {
      cell: pointed ?? cell,
      pinned: true,
      sources: sources.filter(isRegion),
      targets,
      term: pointed?.tensor === 'x_col' ? pixelRegion(g, pointed) : [],
    },
    focus: at,
    sentence: text,
  });
  if (place.kind === 'row') {
    const out = outputOfRow(g, place.row);
    const position = { slice: out.n, row: out.row, col: out.col, channel: filter };
    const cell = cellAt(g, 'y', position) ?? { tensor: 'y', index: 0 };
    const c = Math.floor(focus.c / g.group_c) === group ? focus.c : inGroup(0);
    const regions = sourcesOf(g, cell).filter(({ tensor }) => tensor === 'x_padded' || tensor === 'x_col');
    const name = positionLabel(g, 'y', position);
    return make(
      cell,
      regions,
      [],
      { n: out.n, c, k: filter },
      `Row ${place.row} of x_col is the window of ${name}: ${g.kh} × ${g.kw} cells${perChannel(g)}.`,
    );
  }
  if (place.kind === 'column') {
    const tap = tapOfColumn(g, place.column);
    const cell = cellAt(g, 'w', { ...tap, slice: filter }) ?? { tensor: 'w', index: 0 };
    const shifted = box(g, 'x_padded', {
      slice: upTo(g.n),
      row: { first: tap.row * g.dilation_h, step: g.stride_h, count: g.oh },
      col: { first: tap.col * g.dilation_w, step: g.stride_w, count: g.ow },
      channel: single(inGroup(tap.channel)),
    });
    const column = box(g, 'x_col', matrixColumn(group, place.column));
    const name = positionLabel(g, 'w', { ...tap, slice: filter });
    const at = { ...focus, c: inGroup(tap.channel), k: filter };
    return make(
      cell,
      [shifted, column],
      [],
      at,
      `Column ${place.column} of x_col holds every pixel that ${name} multiplies, one per window.`,
    );
  }
  return copiesHighlightsOf(g, place.padded, focus, group, make);
}

type Make = (
  cell: Cell,
  sources: readonly (Region | null)[],
  targets: readonly Region[],
  at: Focus,
  text: string,
) => LinkedHighlights;

function copiesHighlightsOf(g: Geometry, padded: Position, focus: Focus, group: number, make: Make): LinkedHighlights {
  const { top, left } = g.padding;
  const inX = { ...padded, row: padded.row - top, col: padded.col - left };
  const cell = cellAt(g, 'x', inX) ?? cellAt(g, 'x_padded', padded) ?? { tensor: 'x', index: 0 };
  const copies = copiesOf(g, 'x_col', padded);
  const pixel = box(g, 'x_padded', cellBox(padded));
  const count = copies?.count ?? 0;
  const name = positionLabel(g, 'x', inX);
  const text = count === 0 ? 'is in no window, so it is not in x_col' : copiesText(count);
  const at = { n: padded.slice, c: padded.channel, k: group * g.group_k };
  return make(cell, [pixel], copies ? [copies] : [], { ...focus, ...at }, `${name} ${text}.`);
}

const copiesText = (count: number): string =>
  count === 1
    ? 'is in x_col once: one window reads it'
    : `is in x_col ${count} times, once for each window that reads it`;

const perChannel = ({ group_c }: Geometry): string => (group_c > 1 ? ` of each of ${group_c} channels` : '');

/** The source pixel of an entry of x_col. */
function pixelRegion(g: Geometry, cell: Cell) {
  const pixel = pixelOfColumn(g, positionOf(g, cell));
  const region = box(
    g,
    'x_padded',
    cellBox({ ...pixel, row: pixel.row + g.padding.top, col: pixel.col + g.padding.left }),
  );
  return region ? [region] : [];
}
