import { useEffect } from 'preact/hooks';
import { createHands } from '../app/hands';
import type { Page } from '../app/page';
import { commandOf } from '../commands/keys';

/** What an embed has of the page's commands; the others are about what is not in it. */
const KEPT: ReadonlySet<string> = new Set(['undo', 'redo', 'release']);

const nothing = () => undefined;

/** Keys, as long as the keyboard is in the frame: a browser tells a page of no others. */
export function useKeys(page: Page): void {
  useEffect(() => {
    const hands = createHands(page, nothing, nothing);
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event, hands);
      if (!command || !KEPT.has(command.id)) return;
      // Esc also means other things to a browser, which may go on.
      if (event.key !== 'Escape') event.preventDefault();
      command.run(hands);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [page]);
}
