import { type CommandContext, isEnabled, labelOf, nameOf } from '../commands/command';
import { commandsAt, MENUS } from '../commands/list';
import { Button } from '../ui/controls/Button';
import type { Examples } from './examples/examples';
import { RedoIcon, UndoIcon } from './page/icons';
import { second } from './second/second';

interface MastheadProps {
  readonly context: CommandContext;
  readonly examples: Examples;
}

const BUTTONS = ['primary', 'plain', 'undo', 'redo'] as const;

/** The header: name, the current example, and commands. */
export function Masthead({ context, examples }: MastheadProps) {
  const example = examples.current.value;
  const Menus = second.loaded.value?.HeaderMenus;
  return (
    <header class="masthead">
      <h1 class="masthead__title">
        conv2d<span class="masthead__rest"> playground</span>
      </h1>
      <p class={example ? 'masthead__intro masthead__intro--example' : 'masthead__intro'} role="status">
        {example && (
          <>
            <strong>{example.title}.</strong> {example.sentence}
          </>
        )}
      </p>
      <div class="toolbar">
        {commandsAt(BUTTONS, context).map((command) => {
          const Icon = command.place === 'undo' ? UndoIcon : command.place === 'redo' ? RedoIcon : null;
          const [shortcut] = command.keys;
          return (
            <Button
              key={command.id}
              kind={Icon ? 'icon' : command.place === 'primary' ? 'primary' : 'plain'}
              label={nameOf(command, context)}
              {...(shortcut ? { shortcut } : {})}
              disabled={!isEnabled(command, context)}
              onClick={() => command.run(context)}
            >
              {Icon ? <Icon /> : labelOf(command, context)}
            </Button>
          );
        })}
        {Menus ? (
          <Menus context={context} />
        ) : (
          MENUS.map(({ label }) => (
            <span key={label} class="button button--plain menu__button" aria-hidden="true">
              {label}
            </span>
          ))
        )}
      </div>
    </header>
  );
}
