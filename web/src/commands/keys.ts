import { type Command, type Hands, isEnabled } from './command';
import { COMMANDS } from './list';

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target'>;

/** The command that a key means here and now. */
export const commandOf = (event: Pressed, hands: Hands): Command | undefined =>
  COMMANDS.find(
    (command) =>
      command.keys.some((keys) => isPressed(keys, event)) &&
      (command.inText === true || !isText(event.target)) &&
      isEnabled(command, hands),
  );

/** Control is the command key on a Mac too. */
function isPressed(keys: string, { key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  const parts = keys.split('+');
  const name = parts.at(-1) ?? '';
  if (key.toLowerCase() !== name.toLowerCase()) return false;
  // A sign such as "?" is typed with Shift on one keyboard and without on another.
  const sign = name.length === 1 && name.toLowerCase() === name.toUpperCase();
  return (
    (ctrlKey || metaKey) === parts.includes('Control') &&
    altKey === parts.includes('Alt') &&
    (sign || shiftKey === parts.includes('Shift'))
  );
}

/** Inputs into which nothing is typed. */
const NOT_TYPED: ReadonlySet<string> = new Set([
  ...['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'],
]);

/** Whether keys mean text there: it has its own undo, and letters are letters. */
export function isText(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TYPED.has(target.type);
  return target.closest('textarea, select, [contenteditable]:not([contenteditable="false"])') !== null;
}

/** As it stands on the keys: "Ctrl Shift Z". */
export const shownKeys = (keys: string): string =>
  keys
    .replace('Control', 'Ctrl')
    .replace('Escape', 'Esc')
    .replace(/Page(?=[UD])/, 'Page ')
    .replaceAll('+', ' ');
