import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createExplanationFocus } from '../../../web/src/app/explain/explanation-focus';
import { KeysSheet } from '../../../web/src/app/help/KeysSheet';
import { useShortcuts } from '../../../web/src/app/use-shortcuts';
import { type CommandContext, isEnabled, labelOf } from '../../../web/src/commands/command';
import { COMMANDS, commandOf, isText } from '../../../web/src/commands/list';
import { perform } from '../../../web/src/commands/perform';
import { shownKeys } from '../../../web/src/commands/shown-keys';
import { linksOf } from '../../../web/src/geometry/links';
import { createLook } from '../../../web/src/look/look-store';
import { createStore } from '../../../web/src/state/store';
import { Button } from '../../../web/src/ui/controls/Button';
import { singleKeys, startSingleKeys } from '../../../web/src/ui/single-keys';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { notebook4 } from '../support/notebook4';
import { layerOf } from '../support/problems';

/** A context with a real store and look; `done` records the other calls. */
function opened() {
  const look = createLook(() => linksOf);
  look.setGeometry(geometryOf(descOf({})));
  const store = createStore(notebook4(), { look });
  const done: string[] = [];
  const isReady = signal(true);
  const label = signal('Colors: light. Switch to dark');
  const context: CommandContext = {
    store,
    look,
    theme: { label: () => label.value, next: () => done.push('theme') },
    explanation: createExplanationFocus(document, look),
    hideCell: () => done.push('hide'),
    keepResult: () => (isReady.value ? () => done.push('keep') : null),
    copyLink: () => done.push('link'),
    show: (dialog) => done.push(dialog),
    toggleControls: () => done.push('controls'),
    closeSheet: () => done.push('close'),
    showLessons: () => done.push('lessons'),
  };
  return { context, look, store, done, isReady };
}

const element = (html: string): HTMLElement => {
  document.body.innerHTML = html;
  const made = document.body.querySelector<HTMLElement>('[autofocus]') ?? document.body.firstElementChild;
  if (!(made instanceof HTMLElement)) throw new Error(`no element in ${html}`);
  return made;
};

/** A key event as sent by a keyboard: "Control+Shift+Z" comes as Z. */
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
  test('has unique names and keys', () => {
    const ids = COMMANDS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const keys = COMMANDS.flatMap((command) => command.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('finds every command by each of its keys only', () => {
    const { context, look, store } = opened();
    store.setDesc({ h: 8 });
    store.setDesc({ h: 9 });
    store.undo();
    look.togglePin({ tensor: 'y', index: 1 });
    const cell = element('<div role="grid"><b role="gridcell" tabindex="0" autofocus></b></div>');
    document.body.insertAdjacentHTML('beforeend', '<aside data-explanation tabindex="-1"></aside>');
    cell.focus();
    for (const command of COMMANDS) {
      for (const keys of command.keys) {
        expect(commandOf(pressed(keys, cell), context)?.id, keys).toBe(command.id);
        expect(commandOf(pressed(`Control+Alt+Shift+${keys}`, cell), context), keys).toBeUndefined();
      }
    }
    for (const other of ['z', 'Shift+Z', 'Alt+Z', 'Control+Q', 'PageDown', 'a', '/']) {
      expect(commandOf(pressed(other, cell), context), other).toBeUndefined();
    }
    // The command key of a Mac, capitals, and a question mark that needs Shift.
    expect(commandOf(pressed('Meta+z', cell), context)?.id).toBe('undo');
    expect(commandOf(pressed('Meta+Shift+z', cell), context)?.id).toBe('redo');
    expect(commandOf(pressed('Shift+?', cell), context)?.id).toBe('keys');
  });

  test.each([
    ['Control+я', 'KeyZ', 'undo'],
    ['Control+Shift+Я', 'KeyZ', 'redo'],
    ['Control+ζ', 'KeyZ', 'undo'],
    ['Control+ז', 'KeyZ', 'undo'],
    ['Control+и', 'KeyB', 'controls'],
    ['д', 'KeyL', 'lessons'],
    ['λ', 'KeyL', 'lessons'],
    ['ך', 'KeyL', 'lessons'],
    // Latin layouts: the letter on the key counts, wherever the key is.
    ['Control+z', 'KeyY', 'undo'],
    ['Control+y', 'KeyZ', 'redo'],
    ['Control+w', 'KeyZ', undefined],
    ['ğ', 'KeyL', undefined],
    // Other keys with letters of such a layout.
    ['ж', 'Semicolon', undefined],
  ])('finds %s, typed with the key %s', (keys, code, id) => {
    const { context, store } = opened();
    store.setDesc({ h: 8 });
    store.setDesc({ h: 9 });
    store.undo();
    expect(commandOf({ ...pressed(keys), code }, context)?.id).toBe(id);
  });

  test('shows keys as printed on keyboards', () => {
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

  test.each(texts)('is %s: it keeps its keys, except Esc', (html) => {
    const { context, look } = opened();
    look.togglePin({ tensor: 'y', index: 1 });
    const target = element(html);
    expect(isText(target)).toBe(true);
    expect(commandOf(pressed('?', target), context)).toBeUndefined();
    expect(commandOf(pressed('Escape', target), context)?.id).toBe('release');
  });

  test.each(others)('is not %s', (html) => {
    expect(isText(element(html))).toBe(false);
    expect(commandOf(pressed('?', element(html)), opened().context)?.id).toBe('keys');
  });
});

describe('a command', () => {
  test('is enabled when it can do something', () => {
    const { context, look, store, done, isReady } = opened();
    const able = () => COMMANDS.filter((command) => isEnabled(command, context)).map(({ id }) => id);
    const always = ['copy-link', 'export', 'next-mode', 'previous-mode', 'keep', 'class', 'keys', 'theme', 'about'];
    expect(able()).toEqual(['lessons', 'controls', 'examples', ...always]);
    isReady.value = false;
    expect(able()).not.toContain('keep');
    isReady.value = true;
    store.setDesc({ h: 8 });
    expect(able()).toEqual(['lessons', 'controls', 'examples', 'undo', ...always]);
    perform('undo', context);
    expect(layerOf(store.problem.value).desc.h).toBe(7);
    expect(able()).toEqual(['lessons', 'controls', 'examples', 'redo', ...always]);
    perform('redo', context);
    expect(layerOf(store.problem.value).desc.h).toBe(8);
    perform('redo', context);
    look.open({ ...look.written.value, locked: ['undo', 'controls'] });
    expect(able()).toEqual(['lessons', 'examples', ...always.filter((id) => id !== 'controls')]);
    perform('controls', context);
    expect(done).toEqual([]);
  });

  test('switches modes in both directions, past locked and hidden ones', () => {
    const { context, look } = opened();
    const seen = (id: string, times: number) =>
      Array.from({ length: times }, () => {
        perform(id, context);
        return look.mode.value;
      });
    const round = ['network', 'geometry', 'dx', 'dw', 'lowering', 'matrix', 'gradient-check', 'learn', 'board'];
    expect(seen('next-mode', round.length)).toEqual(round);
    expect(seen('previous-mode', round.length)).toEqual([...round.slice(0, -1).reverse(), 'board']);
    look.open({ ...look.written.value, locked: ['mode.geometry'], hiddenParts: ['mode.learn'] });
    expect(seen('next-mode', 2)).toEqual(['network', 'dx']);
    expect(seen('previous-mode', 3)).toEqual(['network', 'board', 'gradient-check']);
  });

  test('calls the page for actions of the page', () => {
    const { context, done } = opened();
    for (const id of ['copy-link', 'keys', 'theme', 'about', 'controls']) perform(id, context);
    expect(done).toEqual(['link', 'keys', 'theme', 'about', 'controls']);
    const theme = COMMANDS.find(({ id }) => id === 'theme');
    expect(theme && labelOf(theme, context)).toBe('Colors: light. Switch to dark');
  });
});

describe('the keyboard', () => {
  const PAGE = `
    <main><div role="grid"><b role="gridcell" tabindex="-1"></b><b role="gridcell" tabindex="0" autofocus></b></div></main>
    <aside data-explanation tabindex="-1"><button></button></aside>`;

  test('goes from a cell to its explanation and pins it, and back', () => {
    const { context, look } = opened();
    const cell = element(PAGE);
    cell.focus();
    look.hover({ tensor: 'y', index: 3 });
    perform('explain', context);
    expect(document.activeElement?.hasAttribute('data-explanation')).toBe(true);
    expect(look.pinned.value).toEqual({ tensor: 'y', index: 3 });
    document.querySelector<HTMLElement>('aside button')?.focus();
    perform('explain', context);
    expect(document.activeElement).toBe(cell);
    // Again, with the cell pinned: it stays pinned.
    look.hover({ tensor: 'y', index: 3 });
    perform('explain', context);
    expect(look.pinned.value).toEqual({ tensor: 'y', index: 3 });
  });

  test('goes back to the cell when the explanation is closed', () => {
    const { context, look } = opened();
    const cell = element(PAGE);
    cell.focus();
    look.hover({ tensor: 'y', index: 3 });
    perform('explain', context);
    perform('release', context);
    expect(look.pinned.value).toBeNull();
    expect(document.activeElement).toBe(cell);
  });

  test('goes to the current cell if the earlier one no longer exists', () => {
    const { context, look } = opened();
    element(PAGE).focus();
    look.hover({ tensor: 'y', index: 3 });
    perform('explain', context);
    const grid = document.querySelector('[role="grid"]');
    if (grid) grid.innerHTML = '<b role="gridcell" tabindex="0" id="new"></b>';
    perform('release', context);
    expect(document.activeElement?.id).toBe('new');
  });

  test('stays where it is if there is no cell to explain', () => {
    const { context } = opened();
    element('<button></button>').focus();
    expect(commandOf(pressed('e', document.activeElement), context)).toBeUndefined();
  });
});

describe('single-letter shortcuts', () => {
  const SINGLE = ['L', 'X', 'P', 'E', 'H', 'K', 'T', '?'];

  function shown() {
    const all = opened();
    const onClose = vi.fn();
    function Whole() {
      useShortcuts(all.context);
      return (
        <>
          <Button label="Export" shortcut="P" onClick={onClose}>
            P
          </Button>
          <KeysSheet context={all.context} onClose={onClose} />
        </>
      );
    }
    act(() => render(<Whole />, document.body));
    const box = document.querySelector<HTMLInputElement>('.keys__switch input');
    if (!box) throw new Error('there is no switch');
    const press = (key: string, ctrlKey = false) =>
      act(() => void document.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true })));
    return { ...all, box, press, said: () => document.querySelector('.keys__switch [role=status]')?.textContent };
  }

  beforeEach(() => {
    act(() => render(null, document.body));
    localStorage.clear();
    startSingleKeys();
  });

  test('are exactly those of the list of commands', () => {
    expect(COMMANDS.flatMap(({ keys }) => keys).filter((keys) => keys.length === 1)).toEqual(SINGLE);
    const { said } = shown();
    for (const key of [...SINGLE, 'N', 'B']) expect(said()).toContain(key);
  });

  test('do nothing when switched off, which is reported; other keys work', () => {
    const { press, done, box, said, store } = shown();
    press('p');
    expect(done).toEqual(['export']);
    act(() => box.click());
    for (const key of SINGLE) press(key.toLowerCase());
    act(() => void document.dispatchEvent(new KeyboardEvent('keydown', { key: 'з', code: 'KeyP', bubbles: true })));
    expect(done).toEqual(['export']);
    expect(said()).toMatch(/^Off: L, X, /);
    store.setDesc({ h: 9 });
    press('z', true);
    expect(layerOf(store.problem.value).desc.h).not.toBe(9);
  });

  test('stay off after a reload, and are in no label', () => {
    const { box, press, done } = shown();
    const button = () => document.querySelector('button');
    expect(button()?.getAttribute('aria-keyshortcuts')).toBe('P');
    act(() => box.click());
    expect(button()?.getAttribute('aria-keyshortcuts')).toBeNull();
    expect(button()?.title).toBe('Export');
    singleKeys.value = true;
    startSingleKeys();
    press('p');
    expect(done).toEqual([]);
    act(() => box.click());
    startSingleKeys();
    press('p');
    expect(done).toEqual(['export']);
  });
});
