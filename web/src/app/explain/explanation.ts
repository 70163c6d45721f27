import type { Hands } from '../../commands/command';
import type { LookStore } from '../../look/look-store';

/** What is marked so may have the focus as a whole. */
const PANEL = '[data-explanation]';
const CELL = '[role="gridcell"], [role="grid"]';
const STOP = '[role="gridcell"][tabindex="0"]';

/** Takes the keyboard from a cell to the panel that explains it, and back to where it came from. */
export function createExplanation(page: Document, { pinned }: Pick<LookStore, 'pinned'>): Hands['explanation'] {
  let from: Element | null = null;
  const panel = () => page.querySelector<HTMLElement>(PANEL);
  /** Where the keyboard stands in the grids of the stage; in that of the explained cell first. */
  const stop = () => {
    const tensor = pinned.peek()?.tensor.replace('_padded', '');
    return (
      page.querySelector(`main .panel--${tensor} ${STOP}`) ??
      page.querySelector(`main ${STOP}`) ??
      page.querySelector('main')
    );
  };
  return {
    isInside: () => panel()?.contains(page.activeElement) ?? false,
    isAhead: () => page.activeElement?.closest(CELL) != null && panel() !== null,
    enter() {
      from = page.activeElement;
      panel()?.focus();
    },
    leave() {
      // The cell of another picture stands in for one that is gone, and whoever came by Tab or the mouse was at none.
      const back = from?.isConnected ? from : stop();
      from = null;
      if (back instanceof HTMLElement) back.focus();
    },
  };
}
