import type { ComponentType } from 'preact';
import {
  type CommandContext,
  type IconName,
  isEnabled,
  isHidden,
  isLocked,
  LOCKED,
  labelOf,
} from '../commands/command';
import { COMMANDS } from '../commands/list';
import { Button } from '../ui/controls/Button';
import type { Examples } from './examples/examples';
import { ExportIcon, LinkIcon, RedoIcon, ThemeIcon, UndoIcon } from './page/icons';

const ICONS: Readonly<Record<IconName, ComponentType>> = {
  undo: UndoIcon,
  redo: RedoIcon,
  link: LinkIcon,
  export: ExportIcon,
  keys: () => <>?</>,
  theme: ThemeIcon,
};

interface MastheadProps {
  readonly context: CommandContext;
  readonly examples: Examples;
}

export function Masthead({ context, examples }: MastheadProps) {
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
          'Convolution here is cross-correlation, as in deep learning: the kernel is not flipped.'
        )}
      </p>
      <div class="toolbar">
        {COMMANDS.map((command) => {
          const Icon = command.icon && ICONS[command.icon];
          const [shortcut] = command.keys;
          if ((!Icon && !command.toolbar) || isHidden(command, context)) return null;
          return (
            <Button
              key={command.id}
              kind={Icon ? 'icon' : (command.toolbar ?? 'plain')}
              label={labelOf(command, context) + (isLocked(command, context) ? LOCKED : '')}
              {...(shortcut ? { shortcut } : {})}
              disabled={!isEnabled(command, context)}
              onClick={() => command.run(context)}
            >
              {Icon ? <Icon /> : labelOf(command, context)}
            </Button>
          );
        })}
      </div>
    </header>
  );
}
