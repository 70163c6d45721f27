import { isEnabled, labelOf, nameOf } from '../commands/command';
import { commandsAt, MENUS } from '../commands/list';
import { Button } from '../ui/controls/Button';
import { deferred } from './deferred/deferred';
import { ExampleNote } from './examples/examples';
import type { PartProps } from './features/feature';
import { useWide } from './page/hooks';
import { RedoIcon, UndoIcon } from './page/icons';
import { ViewGroups } from './stage/ViewTabs';

const BUTTONS = ['primary', 'plain', 'undo', 'redo'] as const;

/** The header: name, the groups of views, and commands; on a narrow page the current example in place of the groups. */
export function Masthead({ page, context, examples }: PartProps) {
  const wide = useWide();
  const Menus = deferred.loaded.value?.HeaderMenus;
  return (
    <header class="masthead row">
      <h1 class="masthead__title">
        conv2d<span class="masthead__rest"> playground</span>
      </h1>
      {wide ? <ViewGroups page={page} /> : <ExampleNote examples={examples} />}
      <div class="toolbar">
        {commandsAt(BUTTONS, context).map((command) => {
          const Icon = command.place === 'undo' ? UndoIcon : command.place === 'redo' ? RedoIcon : null;
          return (
            <Button
              key={command.id}
              kind={Icon ? 'icon' : command.place === 'primary' ? 'primary' : 'plain'}
              label={nameOf(command, context)}
              shortcut={command.keys[0]}
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
