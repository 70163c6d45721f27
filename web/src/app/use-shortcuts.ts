import { useEffect } from 'preact/hooks';
import type { CommandContext } from '../commands/command';
import { commandOf } from '../commands/list';
import { isSwitchedOff } from '../ui/single-keys';

/** Keyboard shortcuts of the whole page. `only`: the ids of the commands that an embed has. */
export function useShortcuts(context: CommandContext, only?: ReadonlySet<string>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = isSwitchedOff(event) ? undefined : commandOf(event, context);
      if (!command || only?.has(command.id) === false) return;
      // Esc closes an open popover first. The browser may also handle it, for example to leave full screen.
      if (event.key !== 'Escape') event.preventDefault();
      else if (document.querySelector(':popover-open')) return;
      command.run(context);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [context, only]);
}
