import type { AddressedCell, Cell } from '../protocol/cell';
import { INPUTS } from '../protocol/tensors';
import { cellAt } from '../state/addressed-cells';
import type { ViewEvents } from '../views/kit/scene';
import { followsDrags } from '../views/list';
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
): ViewEvents => ({
  onHover(cell) {
    look.hover(cell);
    pointAt(page, cell ?? look.pinned.peek());
  },
  onMove(cell) {
    look.move(cell);
    pointAt(page, cell);
  },
  onPick(cell) {
    look.togglePin(cell);
    pointAt(page, cell);
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

/**
 * Puts the 1 of a dy that follows the pointer into a cell of y or dy. Not while values are hidden, because it would change what is
 * to be predicted, and not in a view that would have to ask about each move.
 */
function pointAt({ store, look, scene }: Page, cell: Cell | null): void {
  const content = scene.peek();
  const isOutput = cell?.tensor === 'y' || cell?.tensor === 'dy';
  if (!content || !isOutput || look.masked.peek().length > 0 || !followsDrags(look.mode.peek())) return;
  store.pointDy(cell.index, content.geometry);
  const { dy } = store.problem.peek();
  if (dy.kind === 'pointed' && dy.index === cell.index) look.moveSuggestion({ tensor: 'y', index: cell.index });
}
