import { type Command, type CommandContext, isEnabled, nameOf } from '../../commands/command';
import { commandsAt, MENUS } from '../../commands/list';
import { shownKeys } from '../../commands/shown-keys';
import { Menu } from '../../ui/controls/Menu';
import { isSingle, singleKeys } from '../../ui/single-keys';

/** Share and More: the commands that have no button of their own. */
export function HeaderMenus({ context }: { context: CommandContext }) {
  return (
    <>
      {MENUS.map(({ place, label }) => {
        const commands = commandsAt([place], context);
        return (
          commands.length > 0 && (
            <Menu
              key={place}
              label={label}
              items={commands.map((command) => ({
                id: command.id,
                label: nameOf(command, context),
                keys: keysOf(command),
                disabled: !isEnabled(command, context),
                run: () => command.run(context),
              }))}
            />
          )
        );
      })}
    </>
  );
}

/** The shortcut, unless it is switched off. */
function keysOf({ keys: [first] }: Command) {
  return first && (!isSingle(first) || singleKeys.value) ? shownKeys(first) : undefined;
}
