import type { CommandContext } from '../../commands/command';
import type { LookStore } from '../../look/look-store';

const PANEL = '[data-explanation]';
const CELL = '[role="gridcell"], [role="grid"]';
const STOP = '[role="gridcell"][tabindex="0"]';

/** Moves the focus from a cell to the panel that explains it, and back. */
export function createExplanationFocus(
  page: Document,
  { pinned, sheet }: Pick<LookStore, 'pinned' | 'sheet'>,
): CommandContext['explanation'] {
  let from: Element | null = null;
  const panel = () => page.querySelector<HTMLElement>(PANEL);
  /** The focusable cell of a grid in the view, of the grid of the explained cell if it has one. */
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
      sheet.value = 'side';
      panel()?.focus();
      // On a narrow page it was hidden.
      if (from && page.activeElement === from) requestAnimationFrame(() => panel()?.focus());
    },
    leave() {
      // Without a previous cell (Tab, mouse), or if it is gone, use the focusable cell of a grid.
      const back = from?.isConnected ? from : stop();
      from = null;
      if (back instanceof HTMLElement) back.focus();
    },
  };
}
