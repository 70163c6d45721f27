import { isEnabled, labelOf, nameOf } from '../commands/command';
import { commandsAt, MENUS } from '../commands/list';
import { Button } from '../ui/controls/Button';
import { deferred } from './deferred/deferred';
import { ExampleNote } from './examples/examples';
import type { PartProps } from './features/feature';
import { RedoIcon, UndoIcon } from './page/icons';
import { ViewGroups } from './stage/ViewTabs';

const BUTTONS = ['primary', 'sheet', 'plain', 'undo', 'redo'] as const;
const ICONS = { undo: UndoIcon, redo: RedoIcon } as const;

/** The header: name, views, and commands. shell.css says which of them a narrow page has in a menu. */
export function Masthead({ page, context, examples }: PartProps) {
  const parts = deferred.loaded.value;
  return (
    <header class="masthead row">
      <h1 class="masthead__title">
        conv2d<span class="masthead__rest"> playground</span>
      </h1>
      <ViewGroups page={page} />
      {parts && <parts.ViewMenu page={page} />}
      <div class="toolbar wrap tight">
        {commandsAt(BUTTONS, context).map((command) => {
          const { id, place, keys } = command;
          const Icon = place === 'undo' || place === 'redo' ? ICONS[place] : null;
          return (
            <Button
              key={id}
              kind={Icon ? 'icon' : place === 'primary' ? 'primary' : 'plain'}
              label={nameOf(command, context)}
              shortcut={keys[0]}
              disabled={!isEnabled(command, context)}
              controls={id === 'controls' ? { id, expanded: context.look.sheet.value === id } : undefined}
              onClick={() => command.run(context)}
            >
              {Icon ? <Icon /> : labelOf(command, context)}
            </Button>
          );
        })}
        {parts ? (
          <parts.HeaderMenus context={context} />
        ) : (
          MENUS.map(({ label }) => (
            <span key={label} class="button button--plain menu__button" aria-hidden="true">
              {label}
            </span>
          ))
        )}
      </div>
      <ExampleNote examples={examples} />
    </header>
  );
}
