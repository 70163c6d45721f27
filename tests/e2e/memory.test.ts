import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { THOROUGH } from '../thorough';
import { NOTEBOOK_4, openPage, useStage } from './support/browser';
import { grid } from './support/grids';
import { formatChange, type MemoryUse, measure, openProfiler } from './support/memory';
import { MODES } from './support/modes';
import { encodePng } from './support/png';

// Nothing leaks from edits, or from actions that are undone: undo and redo, values, tabs, pins, images, themes, links.

const stage = useStage();

/** Each round has more than eight edits and twenty other actions. One element that stays each time would be too many. */
const ROUNDS = THOROUGH ? 30 : 3;
/** All parts are loaded, and with many rounds the undo history, which is kept on purpose, is full. */
const WARM_UP = THOROUGH ? 30 : 1;
/** One element that keeps its predecessors alive adds 59 kB with each edit. */
const EDITS = THOROUGH ? 300 : 60;
/** The undo history is full, and the browser has compiled its functions. */
const WARM_UP_EDITS = THOROUGH ? 300 : 60;
/** The heap, in bytes: 0.4 and 0.5 MB were measured. Twice the rounds and edits with twice the limits find the same leaks. */
const MOST_GROWTH = THOROUGH ? 1e6 : 2e6;
/** Elements, and listeners: 0 were measured. */
const MOST_MORE = THOROUGH ? 25 : 50;

const PICTURE = encodePng(6, 5, (row, col) => [row * 20, col * 20, 9]);

const painted = (page: Page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  );

async function key(page: Page, name: string): Promise<void> {
  await page.keyboard.press(name);
  await painted(page);
}

async function follow(page: Page, hash: string): Promise<void> {
  await page.evaluate(
    (to) =>
      new Promise<void>((resolve) => {
        addEventListener('hashchange', () => resolve(), { once: true });
        location.hash = to;
      }),
    hash,
  );
  await painted(page);
}

async function round(page: Page, modes: readonly string[]): Promise<void> {
  for (const mode of modes) {
    await page.evaluate((title) => {
      for (const tab of document.querySelectorAll<HTMLElement>('main [role=tab]'))
        if (tab.textContent === title) tab.click();
    }, mode);
    await painted(page);
  }
  for (const cell of [60, 70, 100]) {
    await page.evaluate((at) => document.querySelectorAll<HTMLElement>('main [role=gridcell]')[at]?.click(), cell);
    await painted(page);
  }
  await key(page, 'Escape');
  await page.evaluate(() => document.querySelectorAll<HTMLElement>('main [role=gridcell]')[20]?.focus());
  await page.keyboard.type('7');
  await key(page, 'Enter');
  for (const press of ['Control+Z', 'Control+Y', 'Control+Z', 'Escape']) await key(page, press);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await painted(page);
  }
  await page.getByLabel('image file').setInputFiles({ name: 'any.png', mimeType: 'image/png', buffer: PICTURE });
  await expect.poll(() => page.getByRole('spinbutton', { name: 'width', exact: true }).inputValue()).toBe('6');
  await key(page, 'Control+Z');
  await follow(page, 'h=60&kh=3&c=2&k=2&x=random:3&weights=ones&cell=y.1');
  await follow(page, `${NOTEBOOK_4.slice(1)}&cell=y.1`);
  await key(page, 'Escape');
}

function expectNoLeak(before: MemoryUse, after: MemoryUse, when: string): void {
  console.log(`after ${when}: ${formatChange(before, after)}`);
  expect(after.bytes - before.bytes).toBeLessThan(MOST_GROWTH);
  expect(after.nodes - before.nodes).toBeLessThan(MOST_MORE);
  expect(after.listeners - before.listeners).toBeLessThan(MOST_MORE);
}

test.runIf(THOROUGH)(`${ROUNDS} rounds of everything that can be taken back leave nothing behind`, async () => {
  const { page, troubles } = await openPage(stage);
  const session = await openProfiler(page);
  await grid(page, 'dx').waitFor();
  for (let i = 0; i < WARM_UP; i += 1) await round(page, MODES);
  const before = await measure(session);
  // Another mode is another tree: leaks of edits show if the mode stays.
  for (let i = 0; i < ROUNDS; i += 1) await round(page, i % 10 === 0 ? MODES : []);
  expectNoLeak(before, await measure(session), `${WARM_UP} rounds and ${ROUNDS} more`);
  expect(troubles).toEqual([]);
});

/** Alternates between edits of a size and of values of x; each one is drawn before the next. */
const edit = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (edits) => {
    const field = [...document.querySelectorAll('.number-field')].find(({ textContent }) => textContent === 'height');
    const slider = field?.querySelector<HTMLInputElement>('input[type=range]');
    const valueNamed = (select: HTMLSelectElement, label: string) =>
      [...select.options].find(({ text }) => text === label)?.value;
    const select = [...document.querySelectorAll('select')].find(
      (each) => valueNamed(each, '0, 1, 2, …') !== undefined,
    );
    if (!slider || !select) throw new Error('no slider or no choice of values');
    const painted = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let i = 0; i < edits; i += 1) {
      if (i % 2 === 0) {
        slider.value = i % 4 === 0 ? '9' : '8';
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      } else {
        select.value = valueNamed(select, i % 4 === 1 ? '0, 1, 2, …' : '…, 3, 2, 1') ?? '';
        select.dispatchEvent(new Event('change', { bubbles: true }));
      }
      await painted();
      await painted();
    }
  }, count);

test(`${EDITS} edits leak no memory`, async () => {
  const { page, troubles } = await openPage(stage);
  const session = await openProfiler(page);
  await grid(page, 'y').waitFor();
  const height = page.getByRole('spinbutton', { name: 'height', exact: true });
  await height.waitFor();
  await edit(page, WARM_UP_EDITS);
  const before = await measure(session);
  // All edits are made: the last size was 8.
  expect(await height.inputValue()).toBe('8');
  await edit(page, EDITS);
  expectNoLeak(before, await measure(session), `${WARM_UP_EDITS} edits and ${EDITS} more`);
  expect(troubles).toEqual([]);
});
