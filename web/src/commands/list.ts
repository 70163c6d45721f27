import { MODES } from '../look/look';
import { type Command, type CommandContext, isEnabled, isHidden } from './command';

/** All commands, in the order of the header and of the list of keys. */
export const COMMANDS: readonly Command[] = [
  { id: 'lessons', keys: ['L'], label: 'Start here', place: 'primary', run: ({ showLessons }) => showLessons() },
  {
    id: 'controls',
    keys: ['Control+B'],
    label: 'Controls',
    place: 'sheet',
    run: ({ toggleControls }) => toggleControls(),
  },
  { id: 'examples', keys: ['X'], label: 'Examples', place: 'plain', run: ({ show }) => show('examples') },
  {
    id: 'undo',
    keys: ['Control+Z'],
    label: 'Undo',
    place: 'undo',
    enabled: ({ store }) => store.canUndo.value,
    run: ({ store }) => store.undo(),
  },
  {
    id: 'redo',
    keys: ['Control+Shift+Z', 'Control+Y'],
    label: 'Redo',
    place: 'redo',
    enabled: ({ store }) => store.canRedo.value,
    run: ({ store }) => store.redo(),
  },
  { id: 'copy-link', keys: [], label: 'Copy link', place: 'share', run: ({ copyLink }) => copyLink() },
  {
    id: 'export',
    keys: ['P'],
    label: 'Export a figure or an animation',
    place: 'share',
    run: ({ show }) => show('export'),
  },
  {
    id: 'explain',
    keys: ['E'],
    label: 'Move between a cell and its explanation',
    enabled: ({ explanation }) => explanation.isInside() || explanation.isAhead(),
    run({ explanation, look }) {
      if (explanation.isInside()) {
        explanation.leave();
        return;
      }
      // Pins the cell: without a pin, moving the focus would close its explanation.
      const cell = look.current.peek();
      if (cell) look.pinAndShow(cell);
      explanation.enter();
    },
  },
  {
    id: 'hide',
    keys: ['H'],
    label: 'Hide or reveal the value of a cell',
    enabled: ({ look }) => look.current.value !== null,
    run: ({ hideCell }) => hideCell(),
  },
  {
    id: 'release',
    keys: ['Escape'],
    label: 'Unpin the cell; close the controls or the explanation beside a small picture',
    inText: true,
    enabled: ({ look }) => look.pinned.value !== null || look.sheet.value !== null,
    run({ look, explanation, closeSheet }) {
      if (look.sheet.peek() === 'controls' || !look.pinned.peek()) {
        closeSheet();
        return;
      }
      // The focused element is about to be removed.
      if (explanation.isInside()) explanation.leave();
      look.unpin();
    },
  },
  { id: 'next-mode', keys: ['Alt+PageDown'], label: 'Next view', run: (context) => switchMode(context, 1) },
  { id: 'previous-mode', keys: ['Alt+PageUp'], label: 'Previous view', run: (context) => switchMode(context, -1) },
  {
    id: 'keep',
    keys: ['K'],
    label: 'Keep this result',
    place: 'more',
    enabled: ({ keepResult }) => keepResult() !== null,
    run: ({ keepResult }) => keepResult()?.(),
  },
  { id: 'class', keys: ['T'], label: 'Prepare a link for class', place: 'share', run: ({ show }) => show('class') },
  { id: 'keys', keys: ['?'], label: 'Keyboard shortcuts', place: 'more', run: ({ show }) => show('keys') },
  { id: 'theme', keys: [], label: ({ theme }) => theme.label(), place: 'more', run: ({ theme }) => theme.next() },
  { id: 'about', keys: [], label: 'About', place: 'more', run: ({ show }) => show('about') },
];

export const MENUS = [
  { place: 'share', label: 'Share' },
  { place: 'more', label: 'More' },
] as const;

export const commandsAt = (places: readonly Command['place'][], context: CommandContext): readonly Command[] =>
  COMMANDS.filter((command) => command.place && places.includes(command.place) && !isHidden(command, context));

/** Switches to the next mode that is neither locked nor hidden; wraps around. */
function switchMode({ look }: CommandContext, by: 1 | -1): void {
  const shut = [...look.locked.value, ...look.hiddenParts.value];
  const free = MODES.filter((mode) => mode === look.mode.value || !shut.includes(`mode.${mode}`));
  const next = free.at((free.indexOf(look.mode.value) + by) % free.length);
  if (next) look.openMode(next);
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target'> &
  Partial<Pick<KeyboardEvent, 'code'>>;

/** The enabled command of a key event. */
export const commandOf = (event: Pressed, context: CommandContext): Command | undefined =>
  COMMANDS.find(
    (command) =>
      command.keys.some((keys) => isPressed(keys, event)) &&
      (command.inText === true || !isText(event.target)) &&
      isEnabled(command, context),
  );

/** Control also matches the command key of a Mac. */
function isPressed(keys: string, { key: typed, code, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  const parts = keys.split('+');
  const name = parts.at(-1) ?? '';
  // A layout without Latin letters, such as Cyrillic: the letter that is printed on the key for Latin layouts.
  const key = typed > '\u024f' && code?.startsWith('Key') ? code.slice(3) : typed;
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
const NOT_TYPED = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/;

/** True if the element takes text: letters are typed and undo is its own. */
export function isText(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TYPED.test(target.type);
  return target.closest('textarea, select, [contenteditable]:not([contenteditable="false"])') !== null;
}
