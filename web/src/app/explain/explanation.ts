import type { Hands } from '../../commands/command';

/** What is marked so may have the focus as a whole. */
const PANEL = '[data-explanation]';
const CELL = '[role="gridcell"], [role="grid"]';

/** Takes the keyboard from a cell to the panel that explains it, and back to where it came from. */
export function createExplanation(page: Document): Hands['explanation'] {
  let from: Element | null = null;
  const panel = () => page.querySelector<HTMLElement>(PANEL);
  return {
    isInside: () => panel()?.contains(page.activeElement) ?? false,
    isAhead: () => page.activeElement?.closest(CELL) != null && panel() !== null,
    enter() {
      from = page.activeElement;
      panel()?.focus();
    },
    leave() {
      // The cell of another picture stands in for one that is gone.
      const back = from?.isConnected ? from : page.querySelector('main [role="gridcell"][tabindex="0"]');
      if (back instanceof HTMLElement) back.focus();
    },
  };
}
