import { useEffect } from 'preact/hooks';
import type { Hands } from '../commands/command';
import { commandOf } from '../commands/keys';

/** Keys of the whole page. */
export function useShortcuts(hands: Hands): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event, hands);
      // A sheet that is open over a part of the page has Esc for itself.
      if (!command || (event.key === 'Escape' && document.querySelector(':popover-open'))) return;
      // Esc also means other things to a browser, which may go on.
      if (event.key !== 'Escape') event.preventDefault();
      command.run(hands);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [hands]);
}
