import type { ReadonlySignal } from '@preact/signals';
import type { Content } from '../../protocol/messages';
import type { Cell, Geometry } from '../../protocol/problem';
import { type GridData, type GridEvents, type Spot, spotKind, valueAt } from '../../ui/grid/grid-data';
import { sharedParts } from './deferred';
import { cellOfSpot, type Plane } from './plane';
import type { ViewEvents } from './scene';

/** The name of a cell for screen readers, as in Explain: "x[0,1]". */
export const accessibleName = (g: Geometry, cell: Cell | null): string | null =>
  (cell && sharedParts.value?.cellName(g, cell)) ?? null;

/** The events of a grid, with cells in place of spots. `shown`: cells carry its values, which are stored only there. */
export function cellEvents(
  g: Geometry,
  cellOf: (spot: Spot) => Cell | null,
  events: Pick<ViewEvents, 'onHover' | 'onMove' | 'onPick'>,
  shown?: { readonly content: ReadonlySignal<Content>; readonly data: GridData },
): Pick<GridEvents, 'onHover' | 'onMove' | 'onPick' | 'nameOf'> {
  const whole = (spot: Spot) => {
    const cell = cellOf(spot);
    if (!shown || !cell || spotKind(shown.data, spot) === 'nothing') return cell;
    return { ...cell, value: valueAt(shown.data, spot), seenIn: shown.content.peek().revision };
  };
  const report = (handle: (cell: Cell) => void) => (spot: Spot) => {
    const cell = whole(spot);
    if (cell) handle(cell);
  };
  return {
    onHover: (spot, isFocus) => events.onHover(spot && whole(spot), isFocus),
    onMove: report(events.onMove),
    onPick: report(events.onPick),
    nameOf: (spot) => accessibleName(g, cellOf(spot)),
  };
}

/** The events of a grid that shows a plane. */
export const planeEvents = (g: Geometry, plane: Plane, events: Parameters<typeof cellEvents>[2]) =>
  cellEvents(g, (spot) => cellOfSpot(g, plane, spot), events);
