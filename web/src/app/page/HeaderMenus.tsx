import { type Command, type CommandContext, isEnabled, nameOf } from '../../commands/command';
import { commandsAt, MENUS } from '../../commands/list';
import { shownKeys } from '../../commands/shown-keys';
import { Menu } from '../../ui/controls/Menu';
import { isSingle, singleKeys } from '../../ui/single-keys';

/** What is under More where it has no button in the header: on a narrow page or on a phone (shell.css). */
const UNDER_MORE = [
  { places: ['share', 'undo', 'redo'], kind: 'narrow' },
  { places: ['plain'], kind: 'phone' },
] as const;

/** Share and More: the commands that have no button of their own. */
export function HeaderMenus({ context }: { context: CommandContext }) {
  const itemsAt = (places: readonly Command['place'][]) =>
    commandsAt(places, context).map((command) => ({
      id: command.id,
      label: nameOf(command, context),
      keys: keysOf(command),
      disabled: !isEnabled(command, context),
      run: () => command.run(context),
    }));
  const underMore = UNDER_MORE.flatMap(({ places, kind }) => itemsAt(places).map((item) => ({ ...item, kind })));
  return (
    <>
      {MENUS.map(({ place, label }) => {
        const items = itemsAt([place]);
        return (
          items.length > 0 && (
            <Menu key={place} label={label} items={place === 'more' ? [...items, ...underMore] : items} />
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
