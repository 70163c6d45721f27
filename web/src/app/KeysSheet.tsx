import { useEffect, useRef } from 'preact/hooks';
import { type Hands, wordsOf } from '../commands/command';
import { shownKeys } from '../commands/keys';
import { COMMANDS } from '../commands/list';
import { Button } from '../ui/controls/Button';
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
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="keys"
      aria-labelledby="keys-title"
      onClose={onClose}
      // What Esc and Ctrl+Z mean to the page is not meant here.
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="keys__sheet">
        <div class="keys__head">
          <h2 id="keys-title">Keys</h2>
          <Button label="Close" shortcut="Escape" kind="icon" onClick={() => dialog.current?.close()}>
            ×
          </Button>
        </div>
        {[anywhere(hands), ...PLACES].map(({ where, keys }) => (
          <section key={where}>
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
      </div>
    </dialog>
  );
}
