import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_LINK, NOTEBOOK_4, openPage, useStage } from './support/browser';
import { cellAt, grid, typeInto } from './support/grids';
import { chooseFrom, openMode } from './support/modes';

// The page by keyboard and screen reader: focus and accessible text.

const stage = useStage();

async function open(hash = NOTEBOOK_4, viewport = { width: 1440, height: 900 }) {
  const opened = await openPage(stage, { viewport }, hash);
  await opened.page.locator('.panel--dx').waitFor();
  return opened;
}

const explained = (page: Page) => page.getByRole('complementary', { name: 'Explain' });

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

describe.each([
  ['a desktop', { width: 1440, height: 900 }],
  ['a tablet', { width: 820, height: 1180 }],
  ['a phone', { width: 390, height: 844 }],
  ['a small phone', { width: 320, height: 640 }],
])('on %s', (_name, viewport) => {
  it('the first Tab stop is a visible link to the stage', async () => {
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
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('L moves the focus to the list of lessons', async () => {
    const { page } = await open(NO_LINK, viewport);
    await page.keyboard.press('l');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.classList.contains('catalogue__title')))
      .toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.catalogue') !== null)).toBe(true);
    await page.context().close();
  });

  it('E moves the focus from a cell to its explanation and back', async () => {
    const { page } = await open(NOTEBOOK_4, viewport);
    await cellAt(page, 'y', 0, 0).focus();
    await page.keyboard.press('ArrowRight');
    await explained(page)
      .getByRole('heading', { name: /^y\[0,1\] = / })
      .waitFor();
    await page.keyboard.press('e');
    await expect.poll(() => focused(page)).toBe('aside Explain');
    await explained(page)
      .getByRole('heading', { name: /^y\[0,1\] = / })
      .waitFor();
    await expect.poll(() => explained(page).locator('.term').first().isVisible()).toBe(true);
    await page.keyboard.press('e');
    expect(await focused(page)).toBe('y 0,1');
    await page.keyboard.press('e');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('y 0,1');
    await page.context().close();
  });
});

describe('Esc keeps the focus somewhere', () => {
  it('in the grid, in the explanation of a clicked cell, and in the field of its value', async () => {
    const { page, troubles } = await open();
    await cellAt(page, 'y', 1, 2).focus();
    await page.keyboard.press(' ');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('y 1,2');
    // Not entered by the key, but back to the cell, too.
    await cellAt(page, 'y', 2, 1).click();
    await explained(page).getByRole('button', { name: 'Unpin this cell' }).focus();
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('y 2,1');
    await cellAt(page, 'w', 1, 1).click();
    await explained(page).getByRole('textbox', { name: 'value of w[1,1]' }).focus();
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('w 1,1');
    await explained(page).getByRole('button', { name: 'Unpin this cell' }).waitFor({ state: 'hidden' });
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('in the editor of a cell, also after a refused value', async () => {
    const { page } = await open();
    await cellAt(page, 'w', 0, 1).focus();
    for (const text of ['5', '-']) {
      await page.keyboard.press('Enter');
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
      if (text === '-') await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      expect(await focused(page), text).toBe('w 0,1');
    }
    await page.context().close();
  });

  it('in the dialogs, opened by a key from a cell, by their buttons, and from nowhere', async () => {
    const { page } = await open();
    const buttons = {
      More: () => chooseFrom(page, 'More', 'Keyboard shortcuts'),
      Examples: () => page.getByRole('button', { name: 'Examples', exact: true }).click(),
    };
    for (const [key, name, button] of [
      ['?', 'Keyboard shortcuts', 'More'],
      ['x', 'Examples', 'Examples'],
    ] as const) {
      const dialog = page.getByRole('dialog', { name });
      await page.keyboard.press(key);
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await expect.poll(() => focused(page), { message: `${name} from nowhere` }).toBe('main stage');
      await cellAt(page, 'y', 1, 1).focus();
      await page.keyboard.press(key);
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      expect(await focused(page), name).toBe('y 1,1');
      await buttons[button]();
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      expect(await focused(page), name).toBe(`button ${button}`);
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    }
    await page.context().close();
  });

  it('in the sheet of all slices, which handles Esc itself', async () => {
    const { page } = await open('#h=7&w=7&kernel=3&k=32');
    await cellAt(page, 'y[n=0, k=0]', 1, 1).click();
    const more = page.getByRole('button', { name: /^\d+ of 32, show all: filter of y$/ });
    await more.focus();
    await page.keyboard.press('Enter');
    await page.locator('.slices__sheet-of-all:popover-open').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.locator('.slices__sheet-of-all:popover-open').waitFor({ state: 'hidden' });
    expect(await focused(page)).toMatch(/^button \d+ of 32, show all: filter of y$/);
    await explained(page).getByRole('button', { name: 'Unpin this cell' }).waitFor();
    await page.context().close();
  });

  it('in the bottom sheet of a narrow page, which it closes', async () => {
    const { page } = await open(NOTEBOOK_4, { width: 390, height: 844 });
    await page.getByRole('tab', { name: 'Controls' }).click();
    await page.getByRole('spinbutton', { name: 'stride', exact: true }).focus();
    await page.keyboard.press('Escape');
    await page.locator('.phone-sheet--peek').waitFor();
    expect(await focused(page)).toBe('button Raise the sheet');
    await page.getByRole('tab', { name: 'Explain' }).click();
    await page.getByRole('button', { name: 'Full height' }).focus();
    await page.keyboard.press('Escape');
    await page.locator('.phone-sheet--peek').waitFor();
    expect(await focused(page)).toBe('button Raise the sheet');
    await page.context().close();
  });
});

it('the focus is not lost by the next view or by hiding the focused controls', async () => {
  const { page } = await open();
  await cellAt(page, 'y', 1, 1).focus();
  await page.keyboard.press('Alt+PageDown');
  await page.getByRole('tab', { name: 'Sizes and coverage', selected: true }).waitFor();
  expect(await focused(page)).toBe('button Sizes and coverage');
  await page.getByRole('button', { name: 'Hide controls' }).press('Enter');
  expect(await focused(page)).toBe('button Show controls');
  await page.context().close();
});

/** Everything that live regions announce from now on, in order. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    const last = new Map<Element, string>();
    const regions = () => document.querySelectorAll('[role=status], [role=alert], [aria-live]');
    for (const region of regions()) last.set(region, region.textContent ?? '');
    new MutationObserver(() => {
      for (const region of regions()) {
        const text = region.textContent ?? '';
        if (text && text !== last.get(region)) heard.push(text);
        last.set(region, text);
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
    Object.assign(window, { heard });
  });
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.splice(0));
}

it('announces the sum of a pinned cell once, and never a stale one after an edit or an undo', async () => {
  const { page, troubles } = await open();
  const heading = (value: number) => explained(page).getByRole('heading', { name: `y[0,0] = ${value}` });
  const cell = cellAt(page, 'y', 0, 0);
  await cell.hover();
  await heading(74).waitFor();
  const heard = await listen(page);
  await cell.click();
  // Four of nine terms: the others are in the padding, and count too.
  await expect.poll(heard).toEqual(['y[0,0] is 74: the sum of 9 products']);
  // x[0,0] changes from 0 to 100 and is read with w[1,1] = 8. The pin follows the keyboard to x, and returns by a
  // click.
  await typeInto(page, cellAt(page, 'w', 1, 1), '9');
  await cell.click();
  await heard();
  await page.keyboard.press('ControlOrMeta+z');
  await heading(74).waitFor();
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await heading(74).waitFor();
  expect((await heard()).filter((text) => !text.endsWith('sum of 9 products'))).toEqual([]);
  await page.context().close();
  expect(troubles).toEqual([]);
});

describe('a focused cell has the same name as in Explain', () => {
  it('in grids, in the padding too, before and after an edit and its undo', async () => {
    const { page, troubles } = await open();
    const said = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await cellAt(page, 'x', 1, 1).focus();
    await page.keyboard.press('Control+Home');
    await expect.poll(said).toBe('x[−1,−1] = 0, padding');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(said).toBe('x[0,1] = 1');
    await explained(page).getByRole('heading', { name: 'x[0,1] = 1', exact: true }).waitFor();
    await page.keyboard.type('100');
    await page.keyboard.press('Enter');
    await expect.poll(said).toBe('x[0,1] = 100');
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(said).toBe('x[0,1] = 1');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(said).toBe('x[0,0] = 0');
    // No stale name is left in any grid: one cell of each has its name.
    const old = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[role=gridcell][aria-label*=" = "]')]
        .filter(
          ({ tabIndex, textContent, ariaLabel }) => tabIndex !== 0 || !ariaLabel?.includes(` = ${textContent || '0'}`),
        )
        .map(({ outerHTML }) => outerHTML),
    );
    expect(old).toEqual([]);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('in several images and channels, in maps, and in the matrices of other modes', async () => {
    const { page } = await open('#n=2&c=3&k=4&h=7&w=7&kernel=3&stride=2&padding=1');
    const agree = async (name: string) => {
      const focus = page.locator(':focus');
      const said = async () => (await focus.getAttribute('aria-label')) ?? '';
      await expect.poll(said).toMatch(new RegExp(name));
      // A shortened value has all its digits in the accessible name.
      const [called, figure] = (await said()).replace(/, \w+$/, '').split(' = ');
      const exact = (await focus.getAttribute('aria-description')) ?? figure;
      const heading = explained(page).getByRole('heading', { level: 2 }).first();
      await expect.poll(() => heading.textContent()).toBe(`${called} = ${exact}`);
    };
    await cellAt(page, 'y[n=0, k=0]', 1, 2).focus();
    await agree('y\\[0,1,2,0\\] = ');
    await cellAt(page, 'w[c=0, k=0]', 2, 1).focus();
    await agree('w\\[2,1,0,0\\] = ');
    await openMode(page, 'im2col');
    const matrix = page.getByRole('grid', { name: 'x_col' });
    await matrix.getByRole('gridcell').first().focus();
    await agree('x_col\\[');
    await page.context().close();
    const map = await open('#h=40&w=40&padding=2&kernel=5&x=random:1');
    await map.page.locator('.panel--x canvas').waitFor();
    await grid(map.page, 'x').getByRole('gridcell').focus();
    await map.page.keyboard.press('ArrowDown');
    const focus = map.page.locator(':focus');
    await expect.poll(() => focus.getAttribute('aria-label')).toMatch(/^x\[1,0\] = /);
    expect(await focus.getAttribute('aria-colindex')).toBe('1');
    expect(await focus.locator('..').getAttribute('aria-rowindex')).toBe('2');
    await map.page.context().close();
  });
});
