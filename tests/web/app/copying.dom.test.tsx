import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { createCommandContext } from '../../../web/src/app/command-context';
import { deferred } from '../../../web/src/app/deferred/deferred';
import type { Page } from '../../../web/src/app/page/page';
import { useCopy } from '../../../web/src/app/page/use-copy';
import { DEFAULT_LOOK } from '../../../web/src/look/look';
import { openingProblem } from '../../../web/src/state/problem';

/** Copy buttons with a clipboard, without one, and with one that refuses. */

afterEach(() => {
  render(null, document.body);
  vi.unstubAllGlobals();
});

class Item {
  constructor(readonly parts: Readonly<Record<string, Promise<Blob>>>) {}
}

/** A clipboard that records the texts and calls that it receives. */
function clipboard(refuses = false) {
  const taken: string[] = [];
  const calls: string[] = [];
  const take = (text: string) => {
    if (refuses) throw new Error('NotAllowedError');
    taken.push(text);
  };
  vi.stubGlobal('ClipboardItem', Item);
  vi.stubGlobal('navigator', {
    clipboard: {
      async writeText(text: string) {
        calls.push('writeText');
        take(text);
      },
      async write([item]: readonly [Item]) {
        calls.push('write');
        take((await (await item.parts['text/plain'])?.text()) ?? '');
      },
    },
  });
  return { taken, calls };
}

/** As over plain http. */
const noClipboard = () => vi.stubGlobal('navigator', {});

function Copying({ text }: { readonly text: () => string | Promise<string> }) {
  const { copy, outcome } = useCopy();
  return (
    <>
      <button type="button" onClick={() => void copy('Link', text())}>
        Copy
      </button>
      {outcome}
    </>
  );
}

const show = (text: () => string | Promise<string>) => act(() => render(<Copying text={text} />, document.body));
const click = () => act(async () => document.querySelector('button')?.click());
const said = () => document.querySelector('[role=status]')?.textContent;
const field = () => document.querySelector('textarea');

test('copies a text and reports it', async () => {
  const { taken } = clipboard();
  show(() => 'a text');
  await click();
  await vi.waitFor(() => expect(said()).toBe('Link copied.'));
  expect(taken).toEqual(['a text']);
  expect(field()).toBeNull();
});

test.each([
  ['without a clipboard, as over plain http', noClipboard],
  ['where the browser refuses', () => clipboard(true)],
])('%s the text is selected for manual copying', async (_, stub) => {
  stub();
  show(() => Promise.resolve('a text'));
  await click();
  await vi.waitFor(() => expect(said()).toBe('The browser blocked copying. Copy the selected text yourself.'));
  expect(field()?.value).toBe('a text');
  // An effect selects it after the message was drawn.
  await vi.waitFor(() => expect(document.activeElement).toBe(field()));
  expect([field()?.selectionStart, field()?.selectionEnd]).toEqual([0, 'a text'.length]);
});

test('a clipboard that never answers counts as one that refuses', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', { clipboard: { writeText: () => new Promise(() => undefined) } });
  show(() => 'a text');
  await click();
  expect(said()).toBe('');
  await act(async () => void (await vi.advanceTimersByTimeAsync(5000)));
  expect(said()).toBe('The browser blocked copying. Copy the selected text yourself.');
  expect(field()?.value).toBe('a text');
  vi.useRealTimers();
});

test('a text that is still being made goes to the clipboard within the click, as Safari requires', async () => {
  const { taken, calls } = clipboard();
  let done = (_: string): void => undefined;
  show(() => new Promise((resolve) => (done = resolve)));
  act(() => document.querySelector('button')?.click());
  expect(calls).toEqual(['write']);
  done('made later');
  await vi.waitFor(() => expect(said()).toBe('Link copied.'));
  expect(taken).toEqual(['made later']);
});

test('a text that cannot be made has a message of its own', async () => {
  clipboard();
  show(() => Promise.reject(new Error('a chunk is missing')));
  await click();
  await vi.waitFor(() => expect(said()).toMatch(/^Nothing was copied: part of the page failed to load/));
  expect(field()).toBeNull();
});

test('a text that is too large for the clipboard is refused', async () => {
  const { calls } = clipboard();
  show(() => 'a'.repeat(2 ** 21 + 1));
  await click();
  expect(said()).toMatch(/too large for the clipboard \(2\.0 MB\)/);
  expect(calls).toEqual([]);
});

test.each([
  ['a clipboard', () => void clipboard(), ['Link copied.'], []],
  ['no clipboard', noClipboard, [''], ['link']],
])('the toolbar copies the link; with %s', async (_, stub, sentences, sheets) => {
  stub();
  await deferred.wait();
  const told: string[] = [];
  const shown: string[] = [];
  const address = { seen: () => ({ problem: openingProblem(), look: DEFAULT_LOOK }), show: async () => undefined };
  const look = { pinned: { peek: () => null } };
  const context = createCommandContext(
    { address, look, store: {} } as unknown as Page,
    (message) => told.push(message),
    (sheet) => shown.push(sheet),
  );
  context.copyLink();
  await vi.waitFor(() => expect(told).toEqual(sentences));
  expect(shown).toEqual(sheets);
});

test('no other file of the page writes to the clipboard', () => {
  const source = join(import.meta.dirname, '../../../web/src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => readFileSync(join(source, file), 'utf8').includes('navigator.clipboard'))).toEqual([
    join('app', 'page', 'clipboard.ts'),
  ]);
});
