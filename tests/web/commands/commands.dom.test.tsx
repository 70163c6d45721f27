import { signal } from '@preact/signals';
import { beforeEach, describe, expect, test } from 'vitest';
import { createExplanation } from '../../../web/src/app/explain/explanation';
import { type Hands, isEnabled, wordsOf } from '../../../web/src/commands/command';
import { commandOf, isText, shownKeys } from '../../../web/src/commands/keys';
import { COMMANDS, perform } from '../../../web/src/commands/list';
import { linksOf } from '../../../web/src/geometry/links';
import { createLook } from '../../../web/src/look/look-store';
import { createStore } from '../../../web/src/state/store';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { notebook4 } from '../support/notebook4';

/** Hands over a real store and look; `done` hears of the rest. */
function opened() {
  const look = createLook(() => linksOf);
  look.follow(geometryOf(descOf({})));
  const store = createStore(notebook4(), { places: look });
  const done: string[] = [];
  const words = signal('Colours: light. Switch to dark');
  const hands: Hands = {
    store,
    look,
    theme: { words: () => words.value, next: () => done.push('theme') },
    explanation: createExplanation(document, look),
    hideCell: () => done.push('hide'),
    copyLink: () => done.push('link'),
    showKeys: () => done.push('keys'),
    showExamples: () => done.push('examples'),
    showExport: () => done.push('export'),
    showLessons: () => done.push('lessons'),
    showClass: () => done.push('class'),
  };
  return { hands, look, store, done };
}

const element = (html: string): HTMLElement => {
  document.body.innerHTML = html;
  const made = document.body.querySelector<HTMLElement>('[autofocus]') ?? document.body.firstElementChild;
  if (!(made instanceof HTMLElement)) throw new Error(`no element in ${html}`);
  return made;
};

/** A key as a keyboard sends it: "Control+Shift+Z" comes as Z. */
function pressed(keys: string, target: EventTarget | null = document.body) {
  const parts = keys.split('+');
  const has = (name: string) => parts.includes(name);
  const key = parts.at(-1) ?? '';
  return { key, ctrlKey: has('Control'), metaKey: has('Meta'), altKey: has('Alt'), shiftKey: has('Shift'), target };
}

beforeEach(() => {
  document.body.innerHTML = '';
});

describe('the list', () => {
  test('has names and keys of their own', () => {
    const ids = COMMANDS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const keys = COMMANDS.flatMap((command) => command.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('finds every command by each of its keys, and by nothing else', () => {
    const { hands, look, store } = opened();
    store.setDesc({ h: 8 });
    store.setDesc({ h: 9 });
    store.undo();
    look.toggle({ tensor: 'y', index: 1 });
    const cell = element('<div role="grid"><b role="gridcell" tabindex="0" autofocus></b></div>');
    document.body.insertAdjacentHTML('beforeend', '<aside data-explanation tabindex="-1"></aside>');
    cell.focus();
    for (const command of COMMANDS) {
      for (const keys of command.keys) {
        expect(commandOf(pressed(keys, cell), hands)?.id, keys).toBe(command.id);
        expect(commandOf(pressed(`Control+Alt+Shift+${keys}`, cell), hands), keys).toBeUndefined();
      }
    }
    for (const other of ['z', 'Shift+Z', 'Alt+Z', 'Control+Q', 'PageDown', 'a', '/']) {
      expect(commandOf(pressed(other, cell), hands), other).toBeUndefined();
    }
    // The command key of a Mac, capitals, and a question mark that needs Shift.
    expect(commandOf(pressed('Meta+z', cell), hands)?.id).toBe('undo');
    expect(commandOf(pressed('Meta+Shift+z', cell), hands)?.id).toBe('redo');
    expect(commandOf(pressed('Shift+?', cell), hands)?.id).toBe('keys');
  });

  test('shows keys as they stand on the keyboard', () => {
    const shown = ['Control+Shift+Z', 'Escape', 'Alt+PageDown', '?'].map(shownKeys);
    expect(shown).toEqual(['Ctrl Shift Z', 'Esc', 'Alt Page Down', '?']);
  });
});

describe('a text', () => {
  const texts = [
    '<input>',
    '<input type="text">',
    '<input type="search">',
    '<input type="number">',
    '<textarea></textarea>',
    '<select></select>',
    '<div contenteditable><b autofocus></b></div>',
    '<div contenteditable="true"></div>',
  ];
  const others = [
    '<input type="range">',
    '<input type="checkbox">',
    '<button></button>',
    '<div contenteditable="false"></div>',
    '<div role="grid"></div>',
  ];

  test.each(texts)('is %s: its keys are its own, but for Esc', (html) => {
    const { hands, look } = opened();
    look.toggle({ tensor: 'y', index: 1 });
    const target = element(html);
    expect(isText(target)).toBe(true);
    expect(commandOf(pressed('?', target), hands)).toBeUndefined();
    expect(commandOf(pressed('Escape', target), hands)?.id).toBe('release');
  });

  test.each(others)('is not %s', (html) => {
    expect(isText(element(html))).toBe(false);
    expect(commandOf(pressed('?', element(html)), opened().hands)?.id).toBe('keys');
  });
});

describe('a command', () => {
  test('can be done when there is something to do', () => {
    const { hands, look, store } = opened();
    const able = () => COMMANDS.filter((command) => isEnabled(command, hands)).map(({ id }) => id);
    const always = [
      'copy-link',
      'export',
      'next-mode',
      'previous-mode',
      'race',
      'compare',
      'controls',
      'class',
      'keys',
      'theme',
    ];
    expect(able()).toEqual(['lessons', 'examples', ...always]);
    store.setDesc({ h: 8 });
    expect(able()).toEqual(['lessons', 'examples', 'undo', ...always]);
    perform('undo', hands);
    expect(store.problem.value.desc.h).toBe(7);
    expect(able()).toEqual(['lessons', 'examples', 'redo', ...always]);
    perform('redo', hands);
    expect(store.problem.value.desc.h).toBe(8);
    perform('redo', hands);
    look.locked.value = ['undo', 'controls'];
    expect(able()).toEqual(['lessons', 'examples', ...always.filter((id) => id !== 'controls')]);
    perform('controls', hands);
    expect(look.controls.value).toBe('open');
  });

  test('goes round the modes both ways, past locked and hidden ones', () => {
    const { hands, look } = opened();
    const seen = (id: string, times: number) =>
      Array.from({ length: times }, () => {
        perform(id, hands);
        return look.mode.value;
      });
    const round = ['steps', 'dx', 'dw', 'lowering', 'matrix', 'dy', 'gradient-check', 'geometry', 'learn', 'board'];
    expect(seen('next-mode', 10)).toEqual(round);
    expect(seen('previous-mode', 10)).toEqual([...round.slice(0, -1).reverse(), 'board']);
    look.locked.value = ['mode.steps'];
    look.absent.value = ['mode.learn'];
    expect(seen('next-mode', 1)).toEqual(['dx']);
    expect(seen('previous-mode', 2)).toEqual(['board', 'geometry']);
  });

  test('is handed to the page where it is the page that does it', () => {
    const { hands, look, done } = opened();
    for (const id of ['copy-link', 'keys', 'theme', 'controls']) perform(id, hands);
    expect(done).toEqual(['link', 'keys', 'theme']);
    expect(look.controls.value).toBe('folded');
    const theme = COMMANDS.find(({ id }) => id === 'theme');
    expect(theme && wordsOf(theme, hands)).toBe('Colours: light. Switch to dark');
  });
});

describe('the keyboard', () => {
  const PAGE = `
    <main><div role="grid"><b role="gridcell" tabindex="-1"></b><b role="gridcell" tabindex="0" autofocus></b></div></main>
    <aside data-explanation tabindex="-1"><button></button></aside>`;

  test('goes from a cell to its explanation, which stays, and back', () => {
    const { hands, look } = opened();
    const cell = element(PAGE);
    cell.focus();
    look.hover({ tensor: 'y', index: 3 });
    perform('explain', hands);
    expect(document.activeElement?.hasAttribute('data-explanation')).toBe(true);
    expect(look.pinned.value).toEqual({ tensor: 'y', index: 3 });
    document.querySelector<HTMLElement>('aside button')?.focus();
    perform('explain', hands);
    expect(document.activeElement).toBe(cell);
    // Again, with the cell pinned: it stays pinned.
    look.hover({ tensor: 'y', index: 3 });
    perform('explain', hands);
    expect(look.pinned.value).toEqual({ tensor: 'y', index: 3 });
  });

  test('goes back to the cell when the explanation is let go', () => {
    const { hands, look } = opened();
    const cell = element(PAGE);
    cell.focus();
    look.hover({ tensor: 'y', index: 3 });
    perform('explain', hands);
    perform('release', hands);
    expect(look.pinned.value).toBeNull();
    expect(document.activeElement).toBe(cell);
  });

  test('goes to the cell that is there when the one it came from is gone', () => {
    const { hands, look } = opened();
    element(PAGE).focus();
    look.hover({ tensor: 'y', index: 3 });
    perform('explain', hands);
    const grid = document.querySelector('[role="grid"]');
    if (grid) grid.innerHTML = '<b role="gridcell" tabindex="0" id="new"></b>';
    perform('release', hands);
    expect(document.activeElement?.id).toBe('new');
  });

  test('stays where it is when there is no cell to explain', () => {
    const { hands } = opened();
    element('<button></button>').focus();
    expect(commandOf(pressed('e', document.activeElement), hands)).toBeUndefined();
  });
});
