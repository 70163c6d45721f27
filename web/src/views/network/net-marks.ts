import { rangeHas } from '../../geometry/axis';
import { indexAt } from '../../geometry/grid';
import { type Reach, reachesOf, runsOf } from '../../geometry/reach';
import type { Area, Mark, MarkTone } from '../../ui/grid/marks';
import { type Net, type Place, positionOf, type Side } from './net';

/** A drawn plane of a tensor. */
export interface NetPlane {
  readonly at: number;
  readonly side: Side;
  readonly slice: number;
  readonly channel: number;
}

/** Planes with more cells have no marks of single cells. */
const MOST_CELLS = 1500;

const area = (row: number, col: number, rows: number, cols: number): Area => ({
  ...{ row, col, rows, cols },
  ...{ rowStep: 1, colStep: 1 },
});

/** Closed gates and the losers of a maximum are hatched; cells that won a maximum are outlined. */
export function routeMarks(net: Net, plane: NetPlane): readonly Mark[] {
  const { at, side } = plane;
  const [before, after] = [net.layers[at - 1], net.layers[at]];
  const isPool = after?.kind === 'max_pool';
  if (side === 'value') {
    const closed = before?.kind === 'relu' ? cellMarks(net, plane, 'unread', isClosed(net, at - 1)) : [];
    return isPool ? [...closed, ...cellMarks(net, plane, 'winner', isWinner(net, at))] : closed;
  }
  if (after?.kind === 'relu') return cellMarks(net, plane, 'unread', isClosed(net, at));
  if (!isPool) return [];
  const won = isWinner(net, at);
  return cellMarks(net, plane, 'unread', (index) => !won(index));
}

/** Whether the gate of a cell that goes into a ReLU is closed. */
export const isClosed = (net: Net, at: number): ((index: number) => boolean) => {
  const values = net.tensors[at]?.value.data;
  return (index) => (values?.[index] ?? 0) <= 0;
};

/** Whether a cell that goes into max pooling is the largest of any window. */
const isWinner = (net: Net, at: number): ((index: number) => boolean) => {
  const winners = new Set(net.layers[at]?.winners);
  return (index) => winners.has(index);
};

/** Adjacent hatched cells of a row are one mark; outlines are separate. */
function cellMarks(net: Net, { at, slice, channel }: NetPlane, tone: MarkTone, is: (index: number) => boolean): Mark[] {
  const grid = net.tensors[at]?.grid;
  if (!grid || grid.size.row * grid.size.col > MOST_CELLS) return [];
  return Array.from({ length: grid.size.row }).flatMap((_, row) => {
    const cols = Array.from({ length: grid.size.col }, (_, col) => col);
    const found = cols.filter((col) => is(indexAt(grid, { slice, row, col, channel })));
    if (tone === 'winner') return found.map((col): Mark => ({ tone, area: area(row, col, 1, 1) }));
    return runsOf(found).map(({ first, count }): Mark => ({ tone, area: area(row, first, 1, count) }));
  });
}

/**
 * The pointed cell, and what it came from and reaches on the same side. Values come from the tensors before them, gradients from
 * those after them.
 */
export function reachMarks(net: Net, plane: NetPlane, place: Place | null): readonly Mark[] {
  const position = place && positionOf(net, place);
  if (!place || !position || plane.side !== place.side) return [];
  const geometries = net.layers.map(({ geometry }) => geometry);
  const reach = reachesOf(geometries, place.at, position)[plane.at];
  if (!reach || reach.slice !== plane.slice || !rangeHas(reach.channels, plane.channel)) return [];
  if (plane.at === place.at) return areasOf(reach).map((cell) => ({ tone: 'focus', area: cell }));
  const isSource = plane.at < place.at === (place.side === 'value');
  return areasOf(reach).map((cells) => ({ tone: isSource ? 'source' : 'target', area: cells }));
}

const areasOf = ({ rows, cols }: Reach): readonly Area[] =>
  runsOf(rows).flatMap((r) => runsOf(cols).map((c) => area(r.first, c.first, r.count, c.count)));
