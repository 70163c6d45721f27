import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { type GridData, kindOf, type Spot, valueAt } from '../../ui/grid/grid-data';
import type { GridEvents } from '../../ui/grid/grid-events';
import { accessibleName } from './cell-names';
import type { ViewEvents } from './scene';
import type { ViewModel } from './view-model';

/** The events of a grid of an intermediate tensor: its cells carry their values, which are stored only here. */
export function stageEvents(
  g: Geometry,
  data: GridData,
  cellOf: (spot: Spot) => Cell | null,
  { content, events }: Pick<ViewModel, 'content' | 'events'>,
): Pick<GridEvents, 'onHover' | 'onMove' | 'onPick' | 'nameOf'> {
  const withValue = (spot: Spot): Cell | null => {
    const cell = cellOf(spot);
    if (!cell || kindOf(data, spot) === 'nothing') return cell;
    return { ...cell, value: valueAt(data, spot), seenIn: content.peek().revision };
  };
  const report = (handle: ViewEvents['onMove']) => (spot: Spot) => {
    const cell = withValue(spot);
    if (cell) handle(cell);
  };
  return {
    onHover: (spot) => events.onHover(spot && withValue(spot)),
    onMove: report(events.onMove),
    onPick: report(events.onPick),
    nameOf: (spot) => accessibleName(g, cellOf(spot)),
  };
}
