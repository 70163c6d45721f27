import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { NO_LINK, openPage, useStage } from './support/browser';
import { MODES, openMode } from './support/modes';

const stage = useStage();

const DESKTOP: BrowserContextOptions = {};
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Every player: its view, the choice in it, and how the name of its slider begins, where the choice changes it. */
const PLAYERS: [mode: string, chosen?: string, name?: RegExp][] = [
  ['Overview'],
  ['dx', 'scatter'],
  ['dx', 'gather'],
  ['dx', 'full convolution'],
  ['dw & db', 'x convolved with dy'],
  ['dw & db', 'window by window'],
  ['dw & db', 'db'],
  ['im2col', '1 im2col'],
  ['im2col', '3 col2im', /^rows of dx_col/],
];

/** The positions of the marks of a step: its cell, the cells read and the cells written. */
const frames = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main .mark--focus, main .mark--source, main .mark--target')]
      .map((mark) => {
        const { x, y, width, height } = mark.getBoundingClientRect();
        const panel = mark.closest('[class*="panel--"]')?.className ?? '';
        return `${panel} ${mark.classList[1]} ${Math.round(x)} ${Math.round(y + scrollY)} ${Math.round(width)} ${Math.round(height)}`;
      })
      .sort()
      .join('\n'),
  );

const caption = (page: Page) => page.locator('main .scrubber__sentence').textContent();

async function opened(
  options: BrowserContextOptions,
  mode: string,
  chosen?: string,
  name = /^(windows|steps|positions|rows)/,
) {
  const open = await openPage(stage, options, NO_LINK);
  const { page } = open;
  await page.locator('main .panel--x').first().waitFor();
  const main = mode === 'Overview' ? page.getByRole('main') : await openMode(page, mode);
  if (chosen) await main.getByRole('radio', { name: chosen, exact: true }).check({ force: true });
  const slider = main.getByRole('slider', { name });
  await slider.waitFor();
  const at = () => slider.getAttribute('aria-valuetext');
  return { open, page, main, slider, at };
}

describe.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
] as const)('on %s, on a fresh page', (_, options) => {
  test.each(PLAYERS)('a step of %s %s moves the marks, and so does Play', async (mode, chosen, name) => {
    const { open, page, main, slider, at } = await opened(options, mode, chosen, name);
    // The view may still be re-rendered after the choice.
    const home = async () => {
      await slider.press('Home');
      return at();
    };
    await expect.poll(home).toMatch(/^0 of /);
    const forward = main.getByRole('button', { name: 'One step forward' });
    const seen: string[] = [];
    for (const step of [1, 2]) {
      await forward.click();
      await expect.poll(at).toMatch(new RegExp(`^${step} of `));
      await expect.poll(() => frames(page), { message: `step ${step} moves no mark` }).not.toBe(seen.at(-1) ?? '');
      seen.push(await frames(page));
    }
    await main.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => frames(page), { message: 'Play moves no mark' }).not.toBe(seen.at(-1));
    expect(open.troubles).toEqual([]);
    await page.context().close();
  });
});

describe('the player of Overview', () => {
  test.each([
    ['a fresh page', null],
    ['a click on y[0,0]', 'y'],
  ])('names the same cell in caption, marks and Explain at each step, after %s', async (_name, clicked) => {
    const { open, page, main, at } = await opened(DESKTOP, 'Overview');
    if (clicked) await main.locator('.panel--y [data-row="0"][data-col="0"]').click();
    for (let step = 1; step <= 9; step += 1) {
      // No cell is hovered or focused.
      await main.getByRole('button', { name: 'One step forward' }).click();
      await expect.poll(at).toBe(`${step} of 9`);
      const name = `y[${Math.floor((step - 1) / 3)},${(step - 1) % 3}]`;
      await expect.poll(() => caption(page)).toContain(`${name} reads`);
      await page.getByRole('heading', { name: new RegExp(`^${name.replaceAll(/[[\]]/g, '\\$&')} =`) }).waitFor();
      const framed = () =>
        page.evaluate(() => {
          const middle = (element: Element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return [x + width / 2, y + height / 2] as const;
          };
          const mark = document.querySelector('main .panel--y .mark--focus .mark__line');
          if (!mark) return null;
          const [x, y] = middle(mark);
          const cell = document
            .elementsFromPoint(x, y)
            .map((element) => element.closest<HTMLElement>('[role="gridcell"]'))
            .find((found) => found !== null);
          return `y[${cell?.dataset['row']},${cell?.dataset['col']}]`;
        });
      await expect.poll(framed).toBe(name);
    }
    expect(open.troubles).toEqual([]);
    await page.context().close();
  });
});

test('the longest sentences stand whole beside the measured error, at 1280 x 720', async () => {
  const { page, troubles } = await openPage(stage, { viewport: { width: 1280, height: 720 } }, '#h=5&kh=3&dy=mse:0');
  const main = await openMode(page, 'dx');
  for (const way of ['scatter', 'gather', 'full convolution']) {
    await main.getByRole('radio', { name: way, exact: true }).check({ force: true });
    await main.getByRole('slider', { name: /^(windows|steps|positions|rows)/ }).press('End');
    await main
      .locator('.badge')
      .getByText(/^max error/)
      .waitFor();
    await expect.poll(() => caption(page)).toMatch(/^Step (\d+) of \1: .*(?:dx\[4,4\]|of dx\.)/);
    const sentence = main.locator('.scrubber__sentence');
    expect(await sentence.evaluate((element) => element.scrollHeight - element.clientHeight), way).toBeLessThanOrEqual(
      1,
    );
  }
  expect(troubles).toEqual([]);
  await page.context().close();
});

describe('a view', () => {
  test.each([
    ['1440 × 900', DESKTOP],
    ['1280 × 720', { viewport: { width: 1280, height: 720 } }],
    ['1100 × 700', { viewport: { width: 1100, height: 700 } }],
    ['a phone', PHONE],
  ] as const)('shows the question that it answers, on %s', async (_name, options) => {
    const { page, troubles } = await openPage(stage, options, NO_LINK);
    await page.locator('main .panel--x').first().waitFor();
    const questions = new Set<string>(['']);
    for (const title of MODES) {
      await openMode(page, title);
      const question = page.locator('main .stage__question');
      // That of the view before is shown until this one is loaded.
      await expect.poll(async () => questions.has((await question.textContent()) || '')).toBe(false);
      const text = (await question.textContent()) ?? '';
      expect(text).toMatch(/\?/);
      expect(text.length).toBeLessThanOrEqual(80);
      const { isCut, box } = await question.evaluate((element) => ({
        isCut: element.scrollWidth > element.clientWidth,
        box: element.getBoundingClientRect().toJSON() as { top: number; bottom: number; width: number },
      }));
      expect(isCut, `${title} is cut`).toBe(false);
      expect(box.top, title).toBeGreaterThan(0);
      expect(box.bottom, title).toBeLessThan(options === PHONE ? 844 : 200);
      questions.add(text);
    }
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test('dw & db opens on the sum over windows; a link to it keeps its meaning', async () => {
    const { page } = await openPage(stage, DESKTOP, NO_LINK);
    await page.locator('main .panel--x').first().waitFor();
    const main = await openMode(page, 'dw & db');
    await expect.poll(() => main.getByRole('radio', { name: 'x convolved with dy' }).isChecked()).toBe(true);
    await page.context().close();
    const linked = (await openPage(stage, DESKTOP, '#mode=dw')).page;
    await expect.poll(() => linked.getByRole('radio', { name: 'matrix product' }).isChecked()).toBe(true);
    await linked.context().close();
  });

  test('Sizes and coverage has a remark on the corners of the opening problem, not an alarm', async () => {
    const { page } = await openPage(stage, DESKTOP, NO_LINK);
    await page.locator('main .panel--x').first().waitFor();
    const main = await openMode(page, 'Sizes and coverage');
    await main.getByText('A corner of x is in only 1 window').waitFor();
    expect(await main.locator('.verdict--poor').count()).toBe(0);
    await main.getByRole('button', { name: 'Try: padding → same' }).click();
    await main.getByText('Even coverage').waitFor();
    await page.context().close();
  });

  test('says which channel of 3 × 3 × 2 a panel shows', async () => {
    const { page } = await openPage(stage, DESKTOP, '#h=4&kh=3&c=2&k=2&slice=c1');
    await page.getByRole('group', { name: 'w, channel 1 of 3 × 3 × 2', exact: true }).waitFor();
    await page.getByRole('group', { name: 'x, channel 1 of 4 × 4 × 2', exact: true }).waitFor();
    await page.getByRole('group', { name: 'y, filter 0 of 2 × 2 × 2', exact: true }).waitFor();
    await expect
      .poll(() => page.locator('main .panel--w .figure__head span').allTextContents())
      .toEqual(['w', 'channel 1 of', '3 × 3 × 2']);
    await page.context().close();
  });
});
