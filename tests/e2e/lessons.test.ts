import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { LESSONS, linkOf } from '../../web/src/lessons/lessons';
import { THOROUGH } from '../thorough';
import { NOTEBOOK_4, openPage, useStage } from './support/browser';
import { readNumbers, setField } from './support/grids';
import { INPUT_DEVICES, type InputDevice, performTask } from './support/lesson-user';
import { chooseFrom } from './support/modes';

// Walks lessons from the first to the last step: does the task of each step in the view and in the controls, then Next
// to enabled.

const stage = useStage();

const DEVICES: Readonly<Record<InputDevice, object>> = {
  mouse: {},
  keyboard: {},
  touch: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

/** Together they select cells, type a value, play, open a view and check a checkbox. */
const SOME: Readonly<Record<InputDevice, readonly string[]>> = {
  mouse: ['gather'],
  keyboard: ['one-window'],
  touch: ['padding'],
};

const heading = (page: Page) => page.locator('.lesson__title');

/** Opens the first step of a lesson from the opening page. */
async function begin(page: Page, hand: InputDevice, title: string): Promise<void> {
  const { press } = INPUT_DEVICES[hand];
  await page.locator('main .panel--dx').waitFor();
  await press(page.getByRole('button', { name: 'Start here' }));
  await press(page.locator('.catalogue__lesson', { hasText: title }).first());
  await heading(page).waitFor();
}

const WALKS = (Object.keys(DEVICES) as InputDevice[]).flatMap((hand) =>
  LESSONS.filter(({ id }) => THOROUGH || SOME[hand].includes(id)).map((lesson) => ({ hand, lesson, id: lesson.id })),
);

it.each(WALKS)(
  'completes the lesson $id by $hand',
  async ({ hand, lesson }) => {
    const { page, troubles } = await openPage(stage, DEVICES[hand], '');
    await begin(page, hand, lesson.title);
    for (const [index, step] of lesson.steps.entries()) {
      const where = `${lesson.id} ${index + 1}`;
      await expect.poll(() => heading(page).textContent(), { message: where }).toBe(step.title);
      await expect.poll(() => page.locator('main .panel').count(), { message: where }).toBeGreaterThan(0);
      const onward = page.locator('.lesson__bar button').last();
      expect(await onward.textContent(), where).toBe('Skip');
      await performTask(page, hand, linkOf({ lesson, index, step }), step);
      await expect.poll(() => page.locator('.lesson__task--done').count(), { message: `${where} is done` }).toBe(1);
      expect(await onward.textContent(), where).not.toBe('Skip');
      await INPUT_DEVICES[hand].next(page);
    }
    const following = LESSONS[LESSONS.indexOf(lesson) + 1];
    if (following) await expect.poll(() => heading(page).textContent()).toBe(following.steps[0].title);
    else await page.locator('.catalogue').waitFor();
    await page.context().close();
    expect(troubles).toEqual([]);
  },
  120_000,
);

it('skips, solves, links and leaves a lesson, and restores the earlier state', async () => {
  const { page, troubles } = await openPage(stage, {}, NOTEBOOK_4);
  await setField(page, 'stride', '3');
  const [first, second] = LESSONS;
  if (!first || !second) throw new Error('two lessons are needed');
  await begin(page, 'mouse', second.title);
  const before = 'stride=3';
  const spoken = page.locator('.lesson [role="status"]');
  await expect.poll(() => spoken.textContent()).toContain(second.steps[0].title);

  // Skips a step, then goes back. The letters do nothing while single-letter shortcuts are off.
  await page.getByRole('button', { name: 'Skip' }).click();
  await expect.poll(() => heading(page).textContent()).toBe(second.steps[1]?.title);
  const switchLetters = async () => {
    await chooseFrom(page, 'More', 'Keyboard shortcuts');
    await page.getByRole('checkbox', { name: 'Single-letter shortcuts' }).click();
    await page.keyboard.press('Escape');
  };
  await switchLetters();
  await page.keyboard.press('b');
  await page.keyboard.press('n');
  expect(await heading(page).textContent()).toBe(second.steps[1]?.title);
  await switchLetters();
  await page.keyboard.press('b');
  await expect.poll(() => heading(page).textContent()).toBe(second.steps[0].title);

  // "Show me" opens the solution, and the live region announces the result.
  await page.getByRole('button', { name: 'Show me' }).click();
  await page.locator('.lesson__task--done').waitFor();
  await expect.poll(() => spoken.textContent()).toMatch(/^Done\. /);
  expect((await readNumbers(page, 'y'))[0]).toBe(174);

  // The link opens the same step with its solution. The address follows the page after a while.
  await expect.poll(() => page.url()).toContain(second.steps[0].solution);
  expect(page.url()).toContain(`lesson=${second.id}.1`);
  const sent = new URL(page.url()).hash;
  const { page: other } = await openPage(stage, {}, sent);
  await expect.poll(() => heading(other).textContent()).toBe(second.steps[0].title);
  await other.locator('.lesson__task--done').waitFor();
  await other.context().close();

  // After a reload, leaving restores the earlier problem, and Undo returns to the lesson.
  await page.reload();
  await expect.poll(() => heading(page).textContent()).toBe(second.steps[0].title);
  await heading(page).click();
  await page.keyboard.press('Escape');
  if ((await page.locator('.lesson').count()) > 0) await page.keyboard.press('Escape');
  await page.locator('.catalogue').waitFor();
  await expect.poll(() => page.url()).toContain(before);
  expect(page.url()).not.toContain('lesson=');
  expect(await page.locator('.catalogue__lesson', { hasText: second.title }).textContent()).toContain('step 1 of');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => heading(page).textContent()).toBe(second.steps[0].title);
  await page.getByRole('button', { name: 'Leave lesson' }).click();

  // An unknown lesson is reported.
  await page.goto(`${page.url().split('#')[0]}#h=5&side=lesson&lesson=nothing.3`);
  await page.getByText('no lesson step called “nothing.3”').waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('keys step through a lecture: text, view, result, next step', async () => {
  const lesson = LESSONS.find(({ id }) => id === 'gather');
  const [first, second] = lesson?.steps ?? [];
  if (!lesson || !first || !second) throw new Error('the lesson has changed');
  const { page, troubles } = await openPage(stage, {}, `#${linkOf({ lesson, index: 0, step: first })}`);
  await page.getByRole('button', { name: 'Show on a projector' }).click();
  const words = page.locator('.lecture__words');
  const cell = page.locator('main .panel--dx [role="gridcell"]').first();
  const large = async () => (await cell.boundingBox())?.width ?? 0;
  await expect.poll(() => words.count()).toBe(first.words.length);
  expect(await cell.isVisible()).toBe(false);
  for (const away of ['.masthead', '.controls', '.views [role="tab"]']) {
    expect(await page.locator(away).first().isVisible(), away).toBe(false);
  }
  const size = (locator: typeof words) =>
    locator.first().evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
  expect(await size(words)).toBeGreaterThanOrEqual(30);

  // The link contains the lecture view; a typed link needs only the lesson.
  await expect.poll(() => page.url()).toContain('lecture=words');
  const { page: other } = await openPage(stage, {}, '#lesson=gather&lecture=words');
  await expect.poll(() => other.locator('.lecture__words').allTextContents()).toEqual(await words.allTextContents());
  await other.context().close();

  await page.keyboard.press('PageDown');
  await expect.poll(() => cell.isVisible()).toBe(true);
  await expect.poll(() => words.first().textContent()).toContain('Then choose it');
  await expect.poll(large).toBeGreaterThan(50);
  expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);

  await page.keyboard.press('PageDown');
  await expect.poll(() => words.first().textContent()).toContain('run backwards');
  await page.keyboard.press('PageDown');
  await expect.poll(() => page.locator('.lecture__title').textContent()).toBe(second.title);
  await page.keyboard.press('PageUp');
  await expect.poll(() => page.locator('.lecture__title').textContent()).toBe(first.title);
  // Space and arrow keys go on and back unless a grid has the focus. The next step closes the notes.
  await page.getByRole('button', { name: 'Teacher’s notes' }).click();
  await page.locator('.lecture__notes').waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  for (const key of [' ', 'ArrowRight']) await page.keyboard.press(key);
  await expect.poll(() => words.first().textContent()).toContain('run backwards');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.locator('.lecture__title').textContent()).toBe(second.title);
  expect(await page.locator('.lecture__notes').count()).toBe(0);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => page.locator('.lecture__title').textContent()).toBe(first.title);
  await page.getByRole('button', { name: 'Next' }).click();
  await cell.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('gridcell');
  expect(await cell.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => heading(page).textContent()).toBe(first.title);
  expect(await page.locator('.masthead').isVisible()).toBe(true);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('highlights the panel of a symbol of the derivation, and the symbols of a cell', async () => {
  const { page, troubles } = await openPage(stage, {}, NOTEBOOK_4);
  await page.locator('main .panel--dx').waitFor();
  await page.getByRole('button', { name: 'Start here' }).click();
  await page.getByRole('button', { name: 'Derivation of the formulas' }).click();
  const formulas = page.getByRole('math');
  await expect.poll(() => formulas.count()).toBeGreaterThan(10);
  // Rendered as MathML, not as text.
  expect(await formulas.first().evaluate(({ namespaceURI }) => namespaceURI)).toBe(
    'http://www.w3.org/1998/Math/MathML',
  );
  const below = await page
    .locator('munder')
    .first()
    .evaluate((sum) => {
      const [sign, over] = [...sum.children].map((child) => child.getBoundingClientRect());
      return sign && over ? over.top - sign.top : 0;
    });
  expect(below).toBeGreaterThan(5);
  const outline = (tensor: string) =>
    page.locator(`main .panel--${tensor} .panel__frame`).evaluate((panel) => getComputedStyle(panel).outlineStyle);
  expect(await outline('dw')).not.toBe('solid');
  await page.locator('.derivation mi[data-tensor="dw"]').first().hover();
  await expect.poll(() => outline('dw')).toBe('solid');
  await page.locator('main .panel--dx [role="gridcell"]').first().hover();
  await expect.poll(() => outline('dw')).not.toBe('solid');
  const lit = (tensor: string) =>
    page
      .locator(`.derivation mi[data-tensor="${tensor}"]`)
      .first()
      .evaluate((symbol) => getComputedStyle(symbol).outlineStyle);
  await expect.poll(() => lit('dx')).toBe('solid');
  expect(await lit('dw')).toBe('none');
  const chip = page.getByRole('button', { name: 'outline panel w' }).first();
  await chip.press('Enter');
  await expect.poll(() => outline('w')).toBe('solid');
  await page.getByRole('button', { name: 'lesson with numbers' }).first().click();
  await heading(page).waitFor();
  await page.getByRole('button', { name: 'Leave lesson' }).click();
  await page.locator('.derivation').waitFor();
  await page.getByRole('button', { name: 'Back to the lessons' }).click();
  await page.locator('.catalogue').waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});

it.each([
  [1280, 720],
  [1280, 800],
  [1366, 768],
])(
  'a lecture at %i x %i shows every value that the page shows, and clips off no panel',
  async (width, height) => {
    const { page, troubles } = await openPage(stage, { viewport: { width, height } }, '#lesson=one-window.1');
    /** The panels of the board with values, and the panels that the dock or the window clips. */
    const panels = () =>
      page.evaluate(() => {
        const edge = document.querySelector('main .dock')?.getBoundingClientRect().top ?? innerHeight;
        const all = [...document.querySelectorAll<HTMLElement>('main .panel')].map((panel) => ({
          name: panel.className,
          figures: [...panel.querySelectorAll('[role="gridcell"]')].some(
            (cell) => (cell.textContent ?? '').trim() !== '',
          ),
          cut: (panel.querySelector('.panel__frame') ?? panel).getBoundingClientRect().bottom > edge + 1,
        }));
        return {
          shown: all.filter(({ figures }) => figures).map(({ name }) => name),
          cut: all.filter(({ cut }) => cut).map(({ name }) => name),
        };
      });
    const base = page.url().split('#')[0];
    const opened = async (link: string) => {
      await page.goto(`${base}#${link}`);
      await expect.poll(() => page.url().includes('lesson=')).toBe(true);
      await expect.poll(() => page.locator('main .canvas[data-waits="false"]').count()).toBe(1);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    };
    const lost: string[] = [];
    for (const lesson of LESSONS) {
      for (const [index, step] of lesson.steps.entries()) {
        if (step.link.includes('mode=')) continue;
        const link = linkOf({ lesson, index, step });
        await opened(link);
        const usual = await panels();
        await opened(`${link}&lecture=stage`);
        await expect.poll(() => page.evaluate(() => document.documentElement.dataset['lecture'])).toBe('stage');
        await page.locator('.lecture').waitFor();
        const name = `${lesson.id}.${index + 1}`;
        await expect
          .poll(
            async () => {
              const { shown, cut } = await panels();
              return [
                ...usual.shown.filter((panel) => !shown.includes(panel)),
                ...cut.map((panel) => `${panel} is cut`),
              ];
            },
            { timeout: 2000 },
          )
          .toEqual([])
          .catch(async () => lost.push(`${name}: ${JSON.stringify(await panels())}`));
      }
    }
    expect(lost).toEqual([]);
    expect(troubles).toEqual([]);
    await page.context().close();
  },
  300_000,
);
