import { MODES } from '../look/look';
import { type Command, type Hands, isEnabled } from './command';

/** THE LIST: toolbar, list of keys and keyboard read this one, in this order. */
export const COMMANDS: readonly Command[] = [
  {
    id: 'lessons',
    keys: ['L'],
    words: 'Start here',
    named: 'primary',
    run: ({ showLessons }) => showLessons(),
  },
  {
    id: 'examples',
    keys: ['X'],
    words: 'Examples',
    named: 'plain',
    run: ({ showExamples }) => showExamples(),
  },
  {
    id: 'undo',
    keys: ['Control+Z'],
    words: 'Undo',
    icon: 'undo',
    enabled: ({ store }) => store.canUndo.value,
    run: ({ store }) => store.undo(),
  },
  {
    id: 'redo',
    keys: ['Control+Shift+Z', 'Control+Y'],
    words: 'Redo',
    icon: 'redo',
    enabled: ({ store }) => store.canRedo.value,
    run: ({ store }) => store.redo(),
  },
  {
    id: 'copy-link',
    keys: [],
    words: 'Copy link',
    icon: 'link',
    run: ({ copyLink }) => copyLink(),
  },
  {
    id: 'export',
    keys: ['P'],
    words: 'Export: a picture or an animation of what you see',
    icon: 'export',
    run: ({ showExport }) => showExport(),
  },
  {
    id: 'explain',
    keys: ['E'],
    words: 'From a cell to its explanation, and back',
    enabled: ({ explanation }) => explanation.isInside() || explanation.isAhead(),
    run({ explanation, look }) {
      if (explanation.isInside()) {
        explanation.leave();
        return;
      }
      // An explanation of what is merely pointed at goes with the focus.
      const cell = look.current.peek();
      if (cell) look.visit(cell);
      explanation.enter();
    },
  },
  {
    id: 'hide',
    keys: ['H'],
    words: 'Hide the number of a cell, to predict it; reveal it',
    enabled: ({ look }) => look.current.value !== null,
    run: ({ hideCell }) => hideCell(),
  },
  {
    id: 'release',
    keys: ['Escape'],
    words: 'Let the explained cell go; lower the sheet of a narrow page',
    inText: true,
    enabled: ({ look }) => look.pinned.value !== null || look.sheet.value !== 'peek',
    run({ look, explanation }) {
      // The sheet with the controls lies over the explanation: it goes first.
      if (look.controlling.peek() || !look.pinned.peek()) {
        look.sheet.value = 'peek';
        return;
      }
      // What has the focus is about to vanish.
      if (explanation.isInside()) explanation.leave();
      look.release();
    },
  },
  {
    id: 'next-mode',
    keys: ['Alt+PageDown'],
    words: 'Next view',
    run: (hands) => turn(hands, 1),
  },
  {
    id: 'previous-mode',
    keys: ['Alt+PageUp'],
    words: 'Previous view',
    run: (hands) => turn(hands, -1),
  },
  {
    id: 'race',
    keys: ['R'],
    words: 'Race the algorithms on this device; back to the stage',
    run({ look: { race, times } }) {
      race.value = race.value === null ? 'open' : null;
      times.value = null;
    },
  },
  {
    id: 'compare',
    keys: ['C'],
    words: 'Compare with another problem; back to one',
    run({ look }) {
      look.with.value = look.with.value === null ? '' : null;
    },
  },
  {
    id: 'controls',
    keys: ['Control+B'],
    words: 'Fold the controls, unfold them',
    run({ look: { controls } }) {
      controls.value = controls.value === 'open' ? 'folded' : 'open';
    },
  },
  {
    id: 'class',
    keys: ['T'],
    words: 'Prepare a link for class',
    run: ({ showClass }) => showClass(),
  },
  {
    id: 'keys',
    keys: ['?'],
    words: 'Keys',
    icon: 'keys',
    run: ({ showKeys }) => showKeys(),
  },
  {
    id: 'theme',
    keys: [],
    words: ({ theme }) => theme.words(),
    icon: 'theme',
    run: ({ theme }) => theme.next(),
  },
];

/** Does what the command of that name does, if it can now. */
export function perform(id: string, hands: Hands): void {
  const command = COMMANDS.find((candidate) => candidate.id === id);
  if (command && isEnabled(command, hands)) command.run(hands);
}

/** To the next mode that is neither locked nor hidden, round and round. */
function turn({ look }: Hands, by: 1 | -1): void {
  const shut = [...look.locked.value, ...look.absent.value];
  const free = MODES.filter((mode) => mode === look.mode.value || !shut.includes(`mode.${mode}`));
  const next = free.at((free.indexOf(look.mode.value) + by) % free.length);
  if (next) look.mode.value = next;
}
