import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeStage, NOTEBOOK_4, openPage, openStage, type Stage } from './support/browser';
import { cellAt, grid, typeInto } from './support/grids';
import { openMode } from './support/modes';

// The page without a mouse and without a picture: where the focus is, and what is said of it.

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => closeStage(stage));

async function open(hash = NOTEBOOK_4, viewport = { width: 1440, height: 900 }) {
  const opened = await openPage(stage, { viewport }, hash);
  await opened.page.locator('.panel--dx').waitFor();
  return opened;
}

const explained = (page: Page) => page.getByRole('complementary', { name: 'Explain' });

/** What has the focus, in a few words. */
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
  it('the first stop of Tab leads to the stage, and is seen then', async () => {
    const { page, troubles } = await open(NOTEBOOK_4, viewport);
    const link = page.getByRole('link', { name: 'Skip to the stage' });
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
    // The address holds the problem, and goes on doing so.
    expect(new URL(page.url()).hash).toMatch(/^#(.+&)?h=7&/);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('stage');
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('E goes from a cell to its explanation, and back', async () => {
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

describe('Esc leaves the focus somewhere', () => {
  it('in the grid, in the explanation of a cell that was clicked, and in the field of its value', async () => {
    const { page, troubles } = await open();
    await cellAt(page, 'y', 1, 2).focus();
    await page.keyboard.press(' ');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('y 1,2');
    // Never entered by the key: back to the cell all the same.
    await cellAt(page, 'y', 2, 1).click();
    await explained(page).getByRole('button', { name: 'Release this cell' }).focus();
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('y 2,1');
    await cellAt(page, 'w', 1, 1).click();
    await explained(page).getByRole('textbox', { name: 'value of w[1,1]' }).focus();
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('w 1,1');
    await explained(page).getByRole('button', { name: 'Release this cell' }).waitFor({ state: 'hidden' });
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('in the box over a cell, also when what stood in it was refused', async () => {
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
    for (const [key, name] of [
      ['?', 'Keys'],
      ['x', 'Examples'],
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
      await page.getByRole('button', { name, exact: true }).click();
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      expect(await focused(page), name).toBe(`button ${name}`);
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    }
    await page.context().close();
  });

  it('in the sheet of all slices, which has Esc for itself', async () => {
    const { page } = await open('#h=7&w=7&kernel=3&k=32');
    await cellAt(page, 'y[n=0, k=0]', 1, 1).click();
    const more = page.getByRole('button', { name: 'all 32: filter of y' });
    await more.focus();
    await page.keyboard.press('Enter');
    await page.locator('.slices__sheet-of-all:popover-open').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.locator('.slices__sheet-of-all:popover-open').waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('button all 32: filter of y');
    await explained(page).getByRole('button', { name: 'Release this cell' }).waitFor();
    await page.context().close();
  });

  it('in the sheet of a narrow page, which it lowers', async () => {
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

it('who turns to the next mode, or folds what he is in, is not left nowhere', async () => {
  const { page } = await open();
  await cellAt(page, 'y', 1, 1).focus();
  await page.keyboard.press('Alt+PageDown');
  await page.getByRole('slider', { name: 'steps of y, window by window' }).waitFor();
  expect(await focused(page)).toBe('button Step by step');
  await page.getByRole('button', { name: 'Fold the controls' }).press('Enter');
  expect(await focused(page)).toBe('button Show the controls');
  await page.context().close();
});

/** Everything that live regions say from now on, in order. */
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

it('pinning says the sum once, and what is said never lags behind an edit or an undo', async () => {
  const { page, troubles } = await open();
  const heading = (value: number) => explained(page).getByRole('heading', { name: `y[0,0] = ${value}` });
  const cell = cellAt(page, 'y', 0, 0);
  await cell.hover();
  await heading(74).waitFor();
  const heard = await listen(page);
  await cell.click();
  // Four of nine products: the others lie in the padding, and are multiplied too.
  await expect.poll(heard).toEqual(['y[0,0] is 74: the sum of 9 products']);
  // x[0,0] from 0 to 100 is read through w[1,1] = 8. The pin follows the keyboard to x, and comes back by a click.
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

describe('a cell under the keyboard is called what Explain calls it', () => {
  it('in grids of figures, in the padding too, before and after an edit and its undo', async () => {
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
    // Behind it no name is left that could grow old, in any grid: one cell of each is called by its name.
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
      // A figure that was shortened to fit its cell has all its digits behind it.
      const [called, figure] = (await said()).replace(/, \w+$/, '').split(' = ');
      const exact = (await focus.getAttribute('aria-description')) ?? figure;
      const heading = explained(page).getByRole('heading', { level: 2 }).first();
      await expect.poll(() => heading.textContent()).toBe(`${called} = ${exact}`);
    };
    await cellAt(page, 'y[n=0, k=0]', 1, 2).focus();
    await agree('y\\[0,1,2,0\\] = ');
    await cellAt(page, 'w[c=0, k=0]', 2, 1).focus();
    await agree('w\\[2,1,0,0\\] = ');
    await openMode(page, 'Lowering');
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
