import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { NOTEBOOK_4, openPage, useStage } from './support/browser';
import { grid } from './support/grids';
import { formatChange, measure, openProfiler } from './support/memory';
import { MODES } from './support/modes';
import { encodePng } from './support/png';
import { THOROUGH } from './support/thorough';

// Nothing leaks from actions that are undone: undo and redo, values, tabs, pins, images, themes, links to maps.

const stage = useStage();

/** Each round has more than eight edits and twenty other actions. */
const ROUNDS = THOROUGH ? 250 : 3;
/** All parts are loaded, and with many rounds the undo history, which is kept on purpose, is full. */
const WARM_UP = THOROUGH ? 30 : 2;
const MOST_GROWTH = 2e6;
const MOST_MORE = 50;

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
        addEventListener('hashchange', () => setTimeout(resolve, 30), { once: true });
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

test(`${ROUNDS} rounds of everything that can be taken back leave nothing behind`, { timeout: 900_000 }, async () => {
  const { page, troubles } = await openPage(stage);
  const session = await openProfiler(page);
  await grid(page, 'dx').waitFor();
  for (let i = 0; i < WARM_UP; i += 1) await round(page, MODES);
  const before = await measure(session);
  // Another mode is another tree: leaks of edits show if the mode stays.
  for (let i = 0; i < ROUNDS; i += 1) await round(page, i % 10 === 0 ? MODES : []);
  const after = await measure(session);
  console.log(`after ${WARM_UP} rounds and ${ROUNDS} more: ${formatChange(before, after)}`);
  expect(after.bytes - before.bytes).toBeLessThan(MOST_GROWTH);
  expect(after.nodes - before.nodes).toBeLessThan(MOST_MORE);
  expect(after.listeners - before.listeners).toBeLessThan(MOST_MORE);
  expect(troubles).toEqual([]);
});
