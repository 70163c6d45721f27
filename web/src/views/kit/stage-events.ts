import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { type GridData, kindOf, type Spot, valueAt } from '../../ui/grid/grid-data';
import type { GridEvents } from '../../ui/grid/grid-events';
import { heardAs } from './cell-names';
import type { SceneEvents } from './scene';

/** What a grid of a stage tells the page: cells with the values that it shows, for nobody else keeps these. */
export function stageEvents(
  g: Geometry,
  data: GridData,
  cellOf: (spot: Spot) => Cell | null,
  events: SceneEvents,
): Pick<GridEvents, 'onHover' | 'onMove' | 'onPick' | 'nameOf'> {
  const told = (spot: Spot): Cell | null => {
    const cell = cellOf(spot);
    if (!cell || kindOf(data, spot) === 'nothing') return cell;
    return { ...cell, value: valueAt(data, spot) };
  };
  const report = (handle: SceneEvents['onMove']) => (spot: Spot) => {
    const cell = told(spot);
    if (cell) handle(cell);
  };
  return {
    onHover: (spot) => events.onHover(spot && told(spot)),
    onMove: report(events.onMove),
    onPick: report(events.onPick),
    nameOf: (spot) => heardAs(g, cellOf(spot)),
  };
}
