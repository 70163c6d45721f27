import { single } from '../../geometry/axis';
import { areasInPlane, indexAt, type Region } from '../../geometry/grid';
import { linksOf, sourcesOf } from '../../geometry/links';
import { runsOf } from '../../geometry/reach';
import { isTransposed } from '../../layers/list';
import type { CellMark } from '../../layers/view';
import { layerView } from '../../layers/views';
import { type Area, type Mark, oneCell } from '../../ui/grid/marks';
import { block, marked, marksOf } from '../shared/plane';
import { type Cone, outlined } from './cone';
import { cellBeside, type Net, type NetTensorId, type Place, placePosition, type Side, sceneOf } from './net';

export interface NetPlane extends NetTensorId {
  readonly side: Side;
  readonly slice: number;
  readonly channel: number;
}

/** Planes with more cells have no marks of single cells. */
const MOST_CELLS = 1500;

/** What the layers before and after a tensor mark in it: closed gates, the cells that won a maximum and those that lost. */
export function routeMarks(net: Net, plane: NetPlane): readonly Mark[] {
  const { at, side } = plane;
  if (plane.of) return [];
  const marksAs = (layer: number, tensor: 'x' | 'y' | 'dx'): readonly Mark[] => {
    const marks = layerView(net.layers[layer]?.kind ?? '').marks?.[tensor];
    const currentContent = marks && sceneOf(net, layer);
    return currentContent ? cellMarks(net, plane, marks(currentContent)) : [];
  };
  return side === 'value' ? [...marksAs(at - 1, 'y'), ...marksAs(at, 'x')] : marksAs(at, 'dx');
}

/** Adjacent hatched cells of a row are one mark; outlines are separate. */
function cellMarks(net: Net, { at, slice, channel }: NetPlane, markOf: CellMark): readonly Mark[] {
  const grid = net.tensors[at]?.grid;
  if (!grid || grid.size.row * grid.size.col > MOST_CELLS) return [];
  return Array.from({ length: grid.size.row }).flatMap((_, row) => {
    const tones = Array.from({ length: grid.size.col }, (_, col) =>
      markOf(indexAt(grid, { slice, row, col, channel })),
    );
    return (['unread', 'winner'] as const).flatMap((tone) => {
      const found = tones.flatMap((each, col) => (each === tone ? [col] : []));
      const runs = tone === 'winner' ? found.map(single) : runsOf(found);
      return marked(
        tone,
        runs.map(({ first, count }) => block(row, first, 1, count)),
      );
    });
  });
}

/** The pointed cell and its cone. Values come from the tensors before them, gradients from those after them. */
export function reachMarks(net: Net, plane: NetPlane, place: Place, cone: Cone | null): readonly Mark[] {
  if (!cone || plane.of) return layerMarks(net, plane, place);
  const reached = cone[plane.side][plane.at];
  if (!reached) return [];
  const isSource = plane.at < place.at === (plane.side === 'value');
  return marked(
    plane.at === place.at ? 'focus' : isSource ? 'source' : 'target',
    outlined(reached, plane.slice, plane.channel),
  );
}

/** A weight with what it is multiplied with and computed from; the weights that a cell is computed with. */
function layerMarks(net: Net, plane: NetPlane, place: Place): readonly Mark[] {
  const i = place.of ? place.at : plane.at;
  const g = net.layers[i]?.geometry;
  const cell = cellBeside(net, i, place);
  const tensor = cellBeside(net, i, { ...plane, index: 0 })?.tensor;
  // The bias of a transposed convolution is none of the convolution.
  if (!g || !cell || !tensor || (place.of === 'b' && isTransposed(net.layers[i]?.kind ?? ''))) return [];
  const { slice, channel } = plane;
  const { sources, targets } = place.of ? linksOf(g, cell) : { sources: sourcesOf(g, cell), targets: [] };
  const areasIn = (region: Region): readonly Area[] => {
    if (region.tensor !== tensor) return [];
    if (region.kind !== 'box' || plane.of !== 'b') return areasInPlane(g, region, slice, channel);
    return [block(0, region.channel.first, 1, region.channel.count)];
  };
  const own = placePosition(net, place);
  const isOwn = cell.tensor === tensor && own?.slice === slice && own.channel === channel;
  return marksOf({ targets, sources, term: [] }, areasIn, isOwn ? [oneCell(own.row, own.col)] : []);
}
