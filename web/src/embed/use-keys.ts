import { useEffect } from 'preact/hooks';
import { createCommandContext } from '../app/command-context';
import type { Page } from '../app/page/page';
import { commandOf } from '../commands/list';

/** The commands that an embed has. */
const AVAILABLE: ReadonlySet<string> = new Set(['undo', 'redo', 'release']);

const nothing = () => undefined;

/** Shortcuts, while the frame has the focus. */
export function useKeys(page: Page): void {
  useEffect(() => {
    const context = createCommandContext(page, nothing, nothing);
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event, context);
      if (!command || !AVAILABLE.has(command.id)) return;
      // Esc keeps its default action in the browser.
      if (event.key !== 'Escape') event.preventDefault();
      command.run(context);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [page]);
}
