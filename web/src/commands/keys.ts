import { type Command, type CommandContext, isEnabled } from './command';
import { COMMANDS } from './list';

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target'>;

/** The enabled command of a key event. */
export const commandOf = (event: Pressed, context: CommandContext): Command | undefined =>
  COMMANDS.find(
    (command) =>
      command.keys.some((keys) => isPressed(keys, event)) &&
      (command.inText === true || !isText(event.target)) &&
      isEnabled(command, context),
  );

/** Control also matches the command key of a Mac. */
function isPressed(keys: string, { key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  const parts = keys.split('+');
  const name = parts.at(-1) ?? '';
  if (key.toLowerCase() !== name.toLowerCase()) return false;
  // Symbols such as "?" need Shift on some keyboards only.
  const sign = name.length === 1 && name.toLowerCase() === name.toUpperCase();
  return (
    (ctrlKey || metaKey) === parts.includes('Control') &&
    altKey === parts.includes('Alt') &&
    (sign || shiftKey === parts.includes('Shift'))
  );
}

/** Inputs without text. */
const NOT_TYPED: ReadonlySet<string> = new Set([
  ...['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'],
]);

/** True if the element takes text: letters are typed and undo is its own. */
export function isText(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TYPED.has(target.type);
  return target.closest('textarea, select, [contenteditable]:not([contenteditable="false"])') !== null;
}

/** As printed on keyboards: "Ctrl Shift Z". */
export const shownKeys = (keys: string): string =>
  keys
    .replace('Control', 'Ctrl')
    .replace('Escape', 'Esc')
    .replace(/Page(?=[UD])/, 'Page ')
    .replaceAll('+', ' ');
