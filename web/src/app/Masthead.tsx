import type { ComponentType } from 'preact';
import { type Hands, type IconName, isAbsent, isEnabled, isLocked, LOCKED, wordsOf } from '../commands/command';
import { COMMANDS } from '../commands/list';
import { Button } from '../ui/controls/Button';
import type { Examples } from './examples/examples';
import { ExportIcon, LinkIcon, RedoIcon, ThemeIcon, UndoIcon } from './icons';

const ICONS: Readonly<Record<IconName, ComponentType>> = {
  undo: UndoIcon,
  redo: RedoIcon,
  link: LinkIcon,
  export: ExportIcon,
  keys: () => <>?</>,
  theme: ThemeIcon,
};

interface MastheadProps {
  readonly hands: Hands;
  readonly examples: Examples;
}

export function Masthead({ hands, examples }: MastheadProps) {
  const example = examples.current.value;
  return (
    <header class="masthead">
      <h1 class="masthead__title">
        conv2d<span class="masthead__rest"> playground</span>
      </h1>
      <p class={example ? 'masthead__intro masthead__intro--example' : 'masthead__intro'} role="status">
        {example ? (
          <>
            <strong>{example.title}.</strong> {example.sentence}
          </>
        ) : (
          'Convolution here means cross-correlation, as in every deep-learning framework: w is not turned.'
        )}
      </p>
      <div class="toolbar">
        {COMMANDS.map((command) => {
          const Icon = command.icon && ICONS[command.icon];
          const [shortcut] = command.keys;
          if ((!Icon && !command.named) || isAbsent(command, hands)) return null;
          return (
            <Button
              key={command.id}
              kind={Icon ? 'icon' : (command.named ?? 'plain')}
              label={wordsOf(command, hands) + (isLocked(command, hands) ? LOCKED : '')}
              {...(shortcut ? { shortcut } : {})}
              disabled={!isEnabled(command, hands)}
              onClick={() => command.run(hands)}
            >
              {Icon ? <Icon /> : wordsOf(command, hands)}
            </Button>
          );
        })}
      </div>
    </header>
  );
}
