import { useEffect } from 'preact/hooks';
import type { CommandContext } from '../commands/command';
import { commandOf } from '../commands/list';
import { isSwitchedOff } from '../ui/single-keys';

/** Keyboard shortcuts of the whole page. */
export function useShortcuts(context: CommandContext): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = isSwitchedOff(event) ? undefined : commandOf(event, context);
      // Esc closes an open popover first.
      if (!command || (event.key === 'Escape' && document.querySelector(':popover-open'))) return;
      // The browser may also handle Esc, for example to leave full screen.
      if (event.key !== 'Escape') event.preventDefault();
      command.run(context);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [context]);
}
