import { type CommandContext, labelOf } from '../../commands/command';
import { COMMANDS } from '../../commands/list';
import { shownKeys } from '../../commands/shown-keys';
import { Checkbox } from '../../ui/controls/Choice';
import { isSingle, singleKeys } from '../../ui/single-keys';
import { switchSingleKeys } from '../../ui/switch-single-keys';
import { Sheet } from '../page/Sheet';
import './keys-sheet.css';

interface Keys {
  readonly where: string;
  readonly keys: readonly (readonly [keys: string, what: string])[];
}

const anywhere = (context: CommandContext): Keys => ({
  where: 'Anywhere',
  keys: COMMANDS.flatMap((command) => {
    const [first] = command.keys;
    return first ? [[shownKeys(first), labelOf(command, context)] as const] : [];
  }),
});

/** Keys of single parts of the page. */
const PARTS: readonly Keys[] = [
  {
    where: 'In a grid',
    keys: [
      ['← ↑ → ↓', 'Next cell; moves the pinned cell too'],
      ['Home, End', 'Ends of the row; with Ctrl, the corners'],
      ['Page Up, Page Down', 'Ends of the column'],
      ['Space', 'Pin the cell, or paint on dy'],
      ['Enter, F2 or a digit', 'Edit the value of an input'],
    ],
  },
  {
    where: 'In a player',
    keys: [
      ['Space', 'Play or pause'],
      ['← →', 'One step; with Shift, one row'],
      ['Home, End', 'First step, last step'],
      ['[ ]', 'Slower, faster'],
    ],
  },
  {
    where: 'In a lesson',
    keys: [
      ['N', 'Next step'],
      ['B', 'Previous step'],
      ['Esc', 'Leave the lesson, if no cell is pinned'],
    ],
  },
  {
    where: 'In the lecture view',
    keys: [
      ['Page Down, →, Space, N', 'Next: the result, then the next step'],
      ['Page Up, ←, B', 'Previous step'],
      ['Esc', 'Leave the lecture view'],
    ],
  },
  {
    where: 'On a map, with mouse or touch',
    keys: [
      ['Ctrl and wheel, two fingers', 'Zoom'],
      ['Drag', 'Pan a zoomed map; one finger moves the lens'],
      ['Double-click', 'Edit the value of an input'],
    ],
  },
];

/** Keys that can be turned off together. */
const SINGLE = COMMANDS.flatMap(({ keys }) => keys.filter(isSingle)).join(', ');

export function KeysSheet({ context, onClose }: { readonly context: CommandContext; readonly onClose: () => void }) {
  return (
    <Sheet title="Keyboard shortcuts" onClose={onClose}>
      <div class="keys__switch">
        <Checkbox label="Single-letter shortcuts" checked={singleKeys.value} onChange={switchSingleKeys} />
        <p role="status">
          {singleKeys.value
            ? `${SINGLE}, and N and B in lessons. Turn them off if you press them by mistake.`
            : `Off: ${SINGLE}, and N and B in lessons. This browser remembers the setting. All buttons still work.`}
        </p>
      </div>
      {[anywhere(context), ...PARTS].map(({ where, keys }) => (
        <section key={where} class="keys">
          <h3>{where}</h3>
          <dl>
            {keys.map(([key, what]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Sheet>
  );
}
