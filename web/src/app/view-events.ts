import type { AddressedCell, Cell } from '../protocol/cell';
import { INPUTS } from '../protocol/tensors';
import { cellAt } from '../state/addressed-cells';
import type { ViewEvents } from '../views/kit/scene';
import type { Page } from './page/page';
import { second } from './second/second';

interface Reactions {
  readonly onPicked?: (cell: Cell) => void;
  /** A value was typed into a hidden cell, and is being checked. */
  readonly onGuess?: (place: AddressedCell, written: string) => void;
}

/** What user actions on the views do: the only layer between a panel and the store. */
export const createViewEvents = (
  page: Page,
  { onPicked, onGuess }: Reactions,
  { store, look, address } = page,
  pointAt = (cell: Cell | null) => second.loaded.peek()?.pointAt(page, cell),
): ViewEvents => ({
  onHover(cell) {
    look.hover(cell);
    pointAt(cell ?? look.pinned.peek());
  },
  onMove(cell) {
    look.move(cell);
    pointAt(cell);
  },
  onPick(cell) {
    look.togglePin(cell);
    pointAt(cell);
    onPicked?.(cell);
  },
  onEdit(place, value) {
    const { tensor, index, geometry } = place;
    if (look.masked.peek().some((one) => one.tensor === tensor && (one.index ?? index) === index)) {
      look.pinAndShow({ tensor, index });
      second.loaded.peek()?.predictorOf(page).check(geometry, { tensor, index }, String(value));
      onGuess?.(place, String(value));
      return;
    }
    const input = INPUTS.find((name) => name === tensor);
    if (input) store.setCells(cellAt(input, { index }, geometry), value);
  },
  onFocus: look.setFocus,
  onDesc: (patch) => store.setDesc(patch),
  onLink: (link) => void address.open(link, 'example'),
  onDy: (source, geometry) => store.setDySource(source, { geometry }),
  onTarget: (file) => second.loaded.peek()?.imageActionsOf(page).openTarget(file, file.name),
  onUseValues: (values, geometry) => second.loaded.peek()?.imageActionsOf(page).take(values, geometry),
  onPaint: (indices, value, geometry, gesture) =>
    store.setCells({ tensor: 'dy', indices, geometry }, value, { gesture }),
});
