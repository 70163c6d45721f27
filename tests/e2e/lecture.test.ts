import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { LESSONS, linkOf } from '../../web/src/lessons/lessons';
import { THOROUGH } from '../thorough';
import { openPage, useStage } from './support/browser';
import { heading } from './support/lesson-user';
import { settledPanels } from './support/survey/layout';

const stage = useStage();

it('keys step through a lecture: text beside the view, the result, the next step', async () => {
  const lesson = LESSONS.find(({ id }) => id === 'gather');
  const [first, second] = lesson?.steps ?? [];
  if (!lesson || !first || !second) throw new Error('the lesson has changed');
  const { page, troubles } = await openPage(stage, {}, `#${linkOf({ lesson, index: 0, step: first })}`);
  await page.getByText('I teach').click();
  await page.getByRole('button', { name: 'Show on a projector' }).click();
  const words = page.locator('.lecture__words');
  const told = page.locator('.lecture__told');
  const title = page.locator('.lecture__title');
  const cell = page.locator('main .panel--dx [role="gridcell"]').first();
  await expect.poll(() => words.count()).toBe(first.words.split('\n').length);
  // Words, formula, task and view at once.
  expect(await cell.isVisible()).toBe(true);
  expect(await page.locator('.lecture .formula').first().isVisible()).toBe(true);
  await expect.poll(() => told.textContent()).toContain('What is dx[2,2]');
  for (const away of ['.masthead', '.controls', '.views [role="tab"]']) {
    expect(await page.locator(away).first().isVisible(), away).toBe(false);
  }
  const large = async () => (await cell.boundingBox())?.width ?? 0;
  await expect.poll(large).toBeGreaterThan(50);
  const size = () => words.first().evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
  expect(await size()).toBeGreaterThanOrEqual(22);
  expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);

  // The link contains the lecture view; a typed link needs only the lesson.
  await expect.poll(() => page.url()).toContain('lecture=words');
  {
    const { page: other } = await openPage(stage, {}, '#lesson=gather&lecture=words');
    await expect.poll(() => other.locator('.lecture__words').allTextContents()).toEqual(await words.allTextContents());
    expect(await other.locator('main .panel--dx').isVisible()).toBe(true);
    await other.context().close();
  }

  for (const key of ['PageDown', ' ', 'ArrowRight']) {
    // A key does the task, and the next goes on. Neither moves the view.
    await expect.poll(() => title.textContent()).toBe(first.title);
    await settledPanels(page);
    const before = await cell.boundingBox();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press(key);
    await expect.poll(() => told.textContent(), { message: key }).toContain('run backwards');
    await settledPanels(page);
    expect(await cell.boundingBox()).toEqual(before);
    await page.keyboard.press(key);
    await expect.poll(() => title.textContent(), { message: key }).toBe(second.title);
    await page.keyboard.press(key === ' ' ? 'PageUp' : 'ArrowLeft');
  }
  await expect.poll(() => title.textContent()).toBe(first.title);
  // The notes are in a window of their own, which follows.
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Teacher’s notes' }).click();
  const notes = await opened;
  await expect.poll(() => notes.locator('body').textContent()).toContain(first.title);
  for (const name of ['Next', 'Next']) await page.getByRole('button', { name, exact: true }).click();
  await expect.poll(() => notes.locator('body').textContent()).toContain(second.title);
  // A grid uses the arrow keys itself.
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect.poll(() => title.textContent()).toBe(first.title);
  await cell.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('gridcell');
  expect(await title.textContent()).toBe(first.title);
  await page.keyboard.press('Escape');
  await expect.poll(() => heading(page).textContent()).toBe(first.title);
  expect(await page.locator('.masthead').isVisible()).toBe(true);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('a lecture shows the sum of the pinned cell, over all channels', async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=channels.2&lecture=words');
  // The page asks for the cell: its sum would be the answer.
  const sum = page.locator('.lecture .formula', { hasText: 'y[1,1]' });
  await page.locator('.lecture').waitFor();
  expect(await sum.count()).toBe(0);
  const next = page.getByRole('button', { name: 'Next', exact: true });
  await next.click();
  // Channel 0 gives −17 and channel 1 −14, without the products of 0.
  await expect
    .poll(() => sum.allTextContents())
    .toEqual([
      'y[1,1] = 2·3 + (−3)·1 + (−1)·3 + 2·(−3) + 3·(−3) + (−2)·2 + 1·2 + 1·2 + 3·(−3) + (−1)·(−1) + 3·(−1) + (−1)·2 + (−1)·3 = −31',
    ]);
  await page.goto(`${page.url().split('#')[0]}#lesson=dw.2&lecture=words`);
  await expect.poll(() => page.locator('.lecture__title').textContent()).toBe('Each product is multiplied by its dy');
  await next.click();
  await page.locator('.lecture .formula', { hasText: 'dw[0,1] = 1·1 + 2·2 + 5·3 + 6·4 = 44' }).waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('a lecture has its text beside the view in narrow windows, too, and ends in a smaller one', async () => {
  const { page, troubles } = await openPage(stage, { viewport: { width: 1024, height: 768 } }, '#lesson=gather.1');
  const sheet = page.locator('.dock > button', { hasText: 'Lessons' });
  await sheet.waitFor();
  await page.getByText('I teach').click();
  await page.getByRole('button', { name: 'Show on a projector' }).click();
  await page.locator('.lecture').waitFor();
  expect(await sheet.isVisible()).toBe(false);
  await page.setViewportSize({ width: 900, height: 768 });
  await sheet.waitFor();
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.locator('.lecture').waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor();
  expect(await page.evaluate(() => document.documentElement.hasAttribute('data-lecture'))).toBe(false);
  await page.context().close();
  expect(troubles).toEqual([]);
});

/** What a step shows, and the window: grids with values, the smallest of their digits and their cells in pixels; and what does not fit. */
const shownIn = (page: Page) =>
  page.evaluate(() => {
    const text = (element: Element) => (element.textContent ?? '').trim();
    const room = document.querySelector('.stage__room')?.getBoundingClientRect();
    const grids = [...document.querySelectorAll<HTMLElement>('main .panel [role="grid"]')].flatMap((grid) => {
      const cells = [...grid.querySelectorAll<HTMLElement>('[role="gridcell"]')].filter((each) => text(each) !== '');
      if (cells.length === 0) return [];
      const sizes = cells.map((each) => Number.parseFloat(getComputedStyle(each).fontSize) * each.currentCSSZoom);
      return [
        {
          name: (grid.ariaLabel ?? '').replace(' transposed', ''),
          digits: Math.min(...sizes),
        },
      ];
    });
    const cut = [...document.querySelectorAll('main .panel__frame')].flatMap((frame) => {
      const { bottom, right } = frame.getBoundingClientRect();
      return room && (bottom > room.bottom + 1 || right > room.right + 1)
        ? [`${frame.closest('.panel')?.className}`]
        : [];
    });
    const scrolls = ['html', '.side', '.lecture', '.stage__room'].flatMap((name) => {
      const element = document.querySelector(name);
      const by = (element?.scrollHeight ?? 0) - (element?.clientHeight ?? 0);
      return by > 1 ? [`${name} by ${by}`] : [];
    });
    const text_ = document.querySelector('.lecture__words');
    const words = text_ ? Number.parseFloat(getComputedStyle(text_).fontSize) : 0;
    return { size: [innerWidth, innerHeight] as const, grids, cut: [...cut, ...scrolls], words };
  });

/** The narrowest first: outside a lecture it has the layout of a phone. */
const WINDOWS: readonly (readonly [width: number, height: number])[] = [
  [1024, 768],
  ...(THOROUGH
    ? ([
        [1280, 720],
        [1366, 768],
        [1920, 1080],
      ] as const)
    : []),
];
/**
 * Steps of a plain run: those with the most text beside the Overview and beside other views. The division of the window is proven for
 * all in tests/web/app/lecture.test.ts.
 */
const SOME = ['loss.2', 'stride.3', 'transposed.2', 'col2im.4', 'learning.3'];
const NAMES = WINDOWS.map(([width, height]) => `${width} x ${height}`);
/** CSS pixels. */
const LEAST_DIGITS = 12;
const LEAST_WORDS = 15;

it(`a lecture shows the text and the values of the page in legible digits, and cuts nothing, at ${NAMES.join(', ')}`, async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=one-window.1');
  const base = page.url().split('#')[0];
  /** Opens a link once, and resizes the window: that is faster than a page for each size. */
  const shownAt = async (link: string, windows: typeof WINDOWS) => {
    await page.goto(`${base}#${link}`);
    await page.waitForFunction((name) => location.hash.includes(name), link.slice(link.indexOf('lesson=')));
    const shown = [];
    for (const [width, height] of windows) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => page.locator('main .canvas[data-waits="false"]').count()).toBe(1);
      await page.locator(link.includes('lecture=') ? '.lecture' : '.lesson').waitFor({ state: 'attached' });
      await settledPanels(page);
      shown.push(await shownIn(page));
    }
    expect(shown.map(({ size }) => size)).toEqual(windows);
    return shown;
  };
  const lost: string[] = [];
  let checked = 0;
  for (const lesson of LESSONS) {
    for (const [index, step] of lesson.steps.entries()) {
      if (!THOROUGH && !SOME.includes(`${lesson.id}.${index + 1}`)) continue;
      const link = linkOf({ lesson, index, step });
      checked += 1;
      const usual = await shownAt(link, WINDOWS);
      // Back to the size of the next link.
      const inLecture = (await shownAt(`${link}&lecture=words`, WINDOWS.toReversed())).reverse();
      for (const [i, now] of inLecture.entries()) {
        const faults = [
          // Values that do not fit with legible digits are colors only.
          ...(usual[i]?.grids ?? []).flatMap(({ name, digits }) =>
            digits < LEAST_DIGITS || now.grids.some((grid) => grid.name === name)
              ? []
              : [`${name} has lost its values`],
          ),
          ...now.grids.flatMap(({ name, digits }) =>
            digits >= LEAST_DIGITS ? [] : [`${name}: digits of ${digits} px`],
          ),
          ...now.cut.map((name) => `${name} is cut`),
          ...(now.words < LEAST_WORDS ? [`words of ${now.words} px`] : []),
        ];
        if (faults.length > 0) lost.push(`${lesson.id}.${index + 1} at ${NAMES[i]}: ${faults.join('; ')}`);
      }
    }
  }
  expect(checked).toBeGreaterThanOrEqual(SOME.length);
  expect(lost).toEqual([]);
  expect(troubles).toEqual([]);
  await page.context().close();
});
