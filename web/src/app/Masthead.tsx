import type { ComponentType } from 'preact';
import { type Hands, type IconName, isEnabled, wordsOf } from '../commands/command';
import { COMMANDS } from '../commands/list';
import { Button } from '../ui/controls/Button';
import { LinkIcon, RedoIcon, ThemeIcon, UndoIcon } from './icons';

const ICONS: Readonly<Record<IconName, ComponentType>> = {
  undo: UndoIcon,
  redo: RedoIcon,
  link: LinkIcon,
  keys: () => <>?</>,
  theme: ThemeIcon,
};

export function Masthead({ hands }: { readonly hands: Hands }) {
  return (
    <header class="masthead">
      <h1 class="masthead__title">conv2d playground</h1>
      <p class="masthead__intro">
        Convolution here means cross-correlation, as in every deep-learning framework: the kernel is not turned.
      </p>
      <div class="toolbar">
        {COMMANDS.map((command) => {
          const Icon = command.icon && ICONS[command.icon];
          const [shortcut] = command.keys;
          return (
            Icon && (
              <Button
                key={command.id}
                kind="icon"
                label={wordsOf(command, hands)}
                {...(shortcut ? { shortcut } : {})}
                disabled={!isEnabled(command, hands)}
                onClick={() => command.run(hands)}
              >
                <Icon />
              </Button>
            )
          );
        })}
      </div>
    </header>
  );
}
