import { consecutive, type Range } from '../../geometry/axis';
import { type Position, positionAt } from '../../geometry/grid';
import { layerView } from '../../layers/views';
import { type Area, oneCell } from '../../ui/grid/marks';
import { block } from '../shared/plane';
import { type Net, type Place, type Side, sceneOf } from './net';

/** The cells of one tensor that belong to the pointed cell, and the box of their rows and columns. */
export interface Reached {
  readonly cells: readonly Position[];
  readonly rows: Range;
  readonly cols: Range;
}

/**
 * The cells of each tensor that belong to a cell: in the tensors before it those that its value is computed from, after it those that use it.
 * Gradients pass between the same cells, but only through open gates and to winners. null: no cell, or too many.
 */
export type Cone = Readonly<Record<Side, readonly (Reached | null)[]>>;

const MOST_CELLS = 4096;
/** More cells are outlined together. */
const MOST_OUTLINED = 16;

/** null: a cell of weights, or none. */
export function coneOf(net: Net, place: Place | null): Cone | null {
  return place && !place.of ? { value: follow(net, place, false), gradient: follow(net, place, true) } : null;
}

function follow(net: Net, { at, index }: Place, isGradient: boolean): Cone['value'] {
  const cells: (readonly number[])[] = [];
  cells[at] = [index];
  const step = (layer: number, from: number, to: number) => {
    const scene = sceneOf(net, layer);
    const passes = isGradient && layerView(net.layers[layer]?.kind ?? '').passes;
    const found = (cells[from] ?? []).flatMap((cell) => {
      if (!scene) return [];
      const others = to < from ? scene.reads(cell) : scene.usedBy(cell);
      return passes
        ? others.filter((other) => (to < from ? passes(scene, other, cell) : passes(scene, cell, other)))
        : others;
    });
    cells[to] = found.length > MOST_CELLS ? [] : [...new Set(found)];
  };
  for (let i = at - 1; i >= 0; i -= 1) step(i, i + 1, i);
  for (let i = at; i < net.layers.length; i += 1) step(i, i, i + 1);
  return net.tensors.map(({ grid }, i) => {
    const positions = (cells[i] ?? []).map((cell) => positionAt(grid, cell));
    return positions.length > 0
      ? { cells: positions, rows: extent(positions, 'row'), cols: extent(positions, 'col') }
      : null;
  });
}

function extent(cells: readonly Position[], axis: 'row' | 'col'): Range {
  const lines = cells.map((cell) => cell[axis]);
  const first = Math.min(...lines);
  return consecutive(first, Math.max(...lines) - first + 1);
}

/** What is outlined of them on a plane. */
export function outlined({ cells, rows, cols }: Reached, slice: number, channel: number): readonly Area[] {
  const own = cells.filter((cell) => cell.slice === slice && cell.channel === channel);
  const isBox = own.length === rows.count * cols.count || own.length > MOST_OUTLINED;
  if (own.length > 0 && isBox) return [block(rows.first, cols.first, rows.count, cols.count)];
  return own.map(({ row, col }) => oneCell(row, col));
}
