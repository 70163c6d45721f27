import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Homework } from '../../../web/src/app/lesson/exercise/Homework';

/** Marking hand-in links: a run that another one replaces, Cancel, and files that cannot be read. */

type Answer = (row: { readonly line: number; readonly why: string }) => void;
/** Lines that are being marked, oldest first. The test answers them. */
let marking: { readonly text: string; readonly answer: Answer }[] = [];
vi.mock('../../../web/src/app/lesson/exercise/handed-in', async (original) => ({
  ...(await original<typeof import('../../../web/src/app/lesson/exercise/handed-in')>()),
  markLine: ({ text }: { text: string }) => new Promise((resolve) => marking.push({ text, answer: resolve })),
}));
vi.mock('../../../web/src/compute/client', () => ({
  ComputeClient: class {
    dispose() {}
  },
}));

beforeEach(() => {
  marking = [];
  act(() => render(<Homework onClose={() => undefined} />, document.body));
});
afterEach(() => act(() => render(null, document.body)));

const settled = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)));
const area = () => document.querySelector('textarea') as HTMLTextAreaElement;
const button = (label: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label) as HTMLButtonElement;
const press = (label: string) => act(() => button(label).click());
const rows = () => [...document.querySelectorAll('tbody tr')].map(({ textContent }) => textContent);

/** Drops a file on the text box. */
function drop(name: string, text: () => Promise<string>) {
  const event = new Event('drop', { bubbles: true, cancelable: true });
  const file = Object.assign(new File([], name), { text });
  Object.assign(event, { dataTransfer: { files: [file] } });
  act(() => void area().dispatchEvent(event));
}

async function answer(at: number, why: string) {
  marking[at]?.answer({ line: 1, why });
  await settled();
}

test('a file opened while a list is marked replaces the list, and all its rows appear', async () => {
  area().value = 'first 1\nfirst 2';
  press('Mark answers');
  expect(marking.map(({ text }) => text)).toEqual(['first 1']);
  drop('second.txt', async () => 'second 1\nsecond 2');
  await settled();
  await answer(0, 'late row of the first list');
  expect(marking.map(({ text }) => text)).toEqual(['first 1', 'second 1']);
  await answer(1, 'A');
  await answer(2, 'B');
  expect(rows()).toEqual(['Line 1: A', 'Line 1: B']);
  expect(button('Mark answers').disabled).toBe(false);
  expect(document.querySelector('progress')).toBeNull();
});

test('a list marked right after Cancel is marked to its end', async () => {
  area().value = 'first 1\nfirst 2';
  press('Mark answers');
  press('Cancel');
  area().value = 'second 1\nsecond 2';
  press('Mark answers');
  await answer(0, 'late row of the first list');
  await answer(1, 'A');
  await answer(2, 'B');
  expect(rows()).toEqual(['Line 1: A', 'Line 1: B']);
});

test('of two files the one opened last is marked, although the other is read later', async () => {
  let finish = (_: string): void => undefined;
  drop(
    'slow.txt',
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  drop('quick.txt', async () => 'quick');
  await settled();
  finish('slow');
  await settled();
  expect(marking.map(({ text }) => text)).toEqual(['quick']);
  expect(area().value).toBe('quick');
});

test('says that a file could not be read', async () => {
  drop('gone.txt', () => Promise.reject(new Error('NotFoundError')));
  await settled();
  expect(document.querySelector('[role=alert]')?.textContent).toBe('gone.txt could not be read. Open it again.');
});
