import { type Hands, wordsOf } from '../commands/command';
import { shownKeys } from '../commands/keys';
import { COMMANDS } from '../commands/list';
import { Sheet } from './Sheet';
import './keys-sheet.css';

interface Keys {
  readonly where: string;
  readonly keys: readonly (readonly [keys: string, what: string])[];
}

const anywhere = (hands: Hands): Keys => ({
  where: 'Anywhere',
  keys: COMMANDS.flatMap((command) => {
    const [first] = command.keys;
    return first ? [[shownKeys(first), wordsOf(command, hands)] as const] : [];
  }),
});

/** Keys that parts of the page keep to themselves, by the place where they work. */
const PLACES: readonly Keys[] = [
  {
    where: 'In a grid',
    keys: [
      ['← ↑ → ↓', 'go to the next cell; a kept cell comes along'],
      ['Home, End', 'to the ends of the row; with Ctrl to the corners'],
      ['Page Up, Page Down', 'to the ends of the column'],
      ['Space', 'keep the cell explained, or draw on dy'],
      ['Enter, F2 or a digit', 'change the value, where it is given'],
    ],
  },
  {
    where: 'In a scrubber',
    keys: [
      ['Space', 'play and pause'],
      ['← →', 'one step; with Shift one row of the picture'],
      ['Home, End', 'nothing done, everything done'],
      ['[ ]', 'slower, faster'],
    ],
  },
  {
    where: 'In a lesson',
    keys: [
      ['N', 'the next step'],
      ['B', 'one step back'],
      ['Esc', 'leave it, once no cell is kept'],
    ],
  },
  {
    where: 'In a lesson on a projector',
    keys: [
      ['Page Down, N', 'on: words, stage, what is to be seen'],
      ['Page Up, B', 'back'],
      ['Esc', 'end the lecture'],
    ],
  },
  {
    where: 'On a map, with a mouse or fingers',
    keys: [
      ['Ctrl and wheel, two fingers', 'magnify'],
      ['drag', 'move a magnified map; a finger moves the lens over one that fits'],
      ['double click', 'change the value, where it is given'],
    ],
  },
];

interface KeysSheetProps {
  readonly hands: Hands;
  readonly onClose: () => void;
}

/** All keys of the page, in a dialog that Esc closes. */
export function KeysSheet({ hands, onClose }: KeysSheetProps) {
  return (
    <Sheet title="Keys" onClose={onClose}>
      {[anywhere(hands), ...PLACES].map(({ where, keys }) => (
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
