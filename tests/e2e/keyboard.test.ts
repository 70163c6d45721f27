import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { NOTEBOOK_4, openPage, useStage } from './support/browser';
import { cellAt } from './support/grids';
import { chooseFrom } from './support/modes';

// The focus in a real browser: its order, dialogs, popovers, and what of it is in sight. What the keys do and what is announced is
// in tests/web/page.

const stage = useStage();

async function open(hash = NOTEBOOK_4, viewport = { width: 1440, height: 900 }) {
  const opened = await openPage(stage, { viewport }, hash);
  await opened.page.locator('.panel--dx').waitFor();
  return opened;
}

const explained = (page: Page) => page.getByRole('region', { name: 'Explain' });

/** A short description of the focused element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: active } = document;
    if (!active || active === document.body) return 'nothing';
    const cell = active.closest<HTMLElement>('[role=gridcell]');
    const name = active.getAttribute('aria-label') ?? (active.localName === 'main' ? active.id : active.textContent);
    return cell
      ? `${active.closest('[role=grid]')?.getAttribute('aria-label')} ${cell.dataset['row']},${cell.dataset['col']}`
      : `${active.localName} ${name}`;
  });

it.each([
  ['a desktop', { width: 1440, height: 900 }],
  ['a tablet', { width: 820, height: 1180 }],
  ['a phone', { width: 390, height: 844 }],
  ['a small phone', { width: 320, height: 640 }],
])(
  'on %s the first Tab stop is a visible link to the stage; E and L move the focus to what is then in sight',
  async (_, viewport) => {
    const { page, troubles } = await open(NOTEBOOK_4, viewport);
    const link = page.getByRole('link', { name: 'Skip to content' });
    const visible = () =>
      link.evaluate((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        const inside = left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight;
        return inside && document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === element;
      });
    expect(await visible()).toBe(false);
    await page.keyboard.press('Tab');
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await visible()).toBe(true);
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('main stage');
    // The address still contains the problem.
    expect(new URL(page.url()).hash).toMatch(/^#(.+&)?h=7&/);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('stage');

    await cellAt(page, 'y', 0, 0).focus();
    await page.keyboard.press('ArrowRight');
    // Explain is not part of the first download.
    await page.locator('[data-explanation]', { hasText: /y\[0,1\] = / }).waitFor({ state: 'attached' });
    await page.keyboard.press('e');
    await expect.poll(() => focused(page)).toBe('section Explain');
    await explained(page)
      .getByRole('heading', { name: /^y\[0,1\] = / })
      .waitFor();
    await expect.poll(() => explained(page).locator('.term').first().isVisible()).toBe(true);
    await page.keyboard.press('e');
    expect(await focused(page)).toBe('y 0,1');

    await page.keyboard.press('l');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.classList.contains('catalogue__title')))
      .toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.catalogue') !== null)).toBe(true);
    await page.context().close();
    expect(troubles).toEqual([]);
  },
);

it('Esc keeps the focus in the dialogs, opened by a key from a cell, by their buttons, and from nowhere', async () => {
  const { page, troubles } = await open();
  const buttons = {
    More: () => chooseFrom(page, 'More', 'Keyboard shortcuts'),
    Examples: () => page.getByRole('button', { name: 'Examples', exact: true }).click(),
  };
  for (const [key, name, button] of [
    ['?', 'Keyboard shortcuts', 'More'],
    ['x', 'Examples', 'Examples'],
  ] as const) {
    const dialog = page.getByRole('dialog', { name });
    const pass = async () => {
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    };
    await page.keyboard.press(key);
    await pass();
    await expect.poll(() => focused(page), { message: `${name} from nowhere` }).toBe('main stage');
    await cellAt(page, 'y', 1, 1).focus();
    await page.keyboard.press(key);
    await pass();
    expect(await focused(page), name).toBe('y 1,1');
    await buttons[button]();
    await pass();
    expect(await focused(page), name).toBe(`button ${button}`);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  }
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('Esc keeps the focus in the sheet of all slices, which handles Esc itself', async () => {
  const { page, troubles } = await open('#h=7&w=7&kernel=3&k=32');
  await cellAt(page, 'y[n=0, k=0]', 1, 1).click();
  await page.getByRole('button', { name: /^\d+ of 32, show all: filter of y$/ }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.slices__sheet-of-all:popover-open').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await page.locator('.slices__sheet-of-all:popover-open').waitFor({ state: 'hidden' });
  expect(await focused(page)).toMatch(/^button \d+ of 32, show all: filter of y$/);
  await explained(page).getByRole('button', { name: 'Unpin this cell' }).waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});
