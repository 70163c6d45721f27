import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { CORE, endingOf, LESSONS, linkOf } from '../../web/src/lessons/lessons';
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
    if (following && !endingOf(lesson))
      await expect.poll(() => heading(page).textContent()).toBe(following.steps[0].title);
    else await page.getByRole('region', { name: endingOf(lesson)?.title ?? '' }).waitFor();
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
  const spoken = page.locator('.lesson__spoken');
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
  await expect.poll(() => page.url()).toContain(`lesson=${second.id}.1`);
  await expect.poll(() => page.url()).not.toContain('hidden=');
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

const wrong = (page: Page) => page.locator('.lesson__wrong');
const done = (page: Page) => page.locator('.lesson__task--done');

it('answers a question by keyboard alone: a mistake is named, the right number reveals the cell', async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=gather.1');
  await page.locator('.lesson .predict__guess').waitFor();
  const cell = page.locator('main .panel--dx [role="gridcell"][data-row="2"][data-col="2"]');
  await expect.poll(() => cell.textContent()).toBe('?');
  const focused = () => page.evaluate(() => document.activeElement?.closest('.lesson .predict__guess') !== null);
  for (let left = 60; left > 0 && !(await focused()); left -= 1) await page.keyboard.press('Tab');
  // 1·9 + 2·8 + 3·6 + 4·5: the weights of the opposite corner.
  await page.keyboard.type('63');
  await page.keyboard.press('Enter');
  await page.getByText('Weight of the opposite corner').waitFor();
  expect(await done(page).count()).toBe(0);
  // Values stay as they are while the page asks for one.
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('37');
  await page.keyboard.press('Enter');
  await done(page).waitFor();
  expect(await cell.textContent()).toBe('37');
  await page.getByText('37 is correct.').waitFor();
  await expect.poll(() => page.url()).not.toContain('hidden=');
  // The focus is on Next.
  await page.keyboard.press('Enter');
  await expect.poll(() => heading(page).textContent()).toBe('One cell in one step');
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('answers a question by touch, and one that is no value of a tensor', async () => {
  const { page, troubles } = await openPage(stage, DEVICES.touch, '#lesson=dw.2');
  const box = page.locator('.lesson .predict__guess input');
  const check = page.locator('.lesson').getByRole('button', { name: 'Check' });
  await box.tap();
  await box.fill('44');
  await check.tap();
  await done(page).waitFor();
  await expect.poll(() => page.locator('.lesson .predict__verdict--right').count()).toBe(1);
  await page.goto(`${page.url().split('#')[0]}#lesson=padding.3`);
  await expect.poll(() => heading(page).textContent()).toBe('valid, same, full');
  await box.fill('5');
  await check.tap();
  await page.getByText('5 is not right.').waitFor();
  expect(await done(page).count()).toBe(0);
  await box.fill('7');
  await check.tap();
  await done(page).waitFor();
  await expect.poll(() => page.url()).toContain('padding=full');
  await page.goto(`${page.url().split('#')[0]}#lesson=gather.3`);
  await page.locator('.lesson__options button').first().tap();
  await page.getByText('“1, 2, 4, 5” is not right.').waitFor();
  await page.locator('.lesson__options button').nth(1).tap();
  await done(page).waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('answers a wrong cell and a wrong size, and stops when the task is done', async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=one-window.1');
  const cellOf = (tensor: string, row: number, col: number) =>
    page.locator(`main .panel--${tensor} [role="gridcell"][data-row="${row}"][data-col="${col}"]`);
  await cellOf('y', 2, 2).click();
  await expect
    .poll(() => wrong(page).textContent())
    .toBe('The window of y[2,2] begins at x[2,2]. Look for row 0 and column 0 of y.');
  expect(await wrong(page).getAttribute('role')).toBe('status');
  await cellOf('x', 0, 0).click();
  await expect.poll(() => wrong(page).textContent()).toMatch(/^x\[0,0\] is read by 1 window\./);
  await cellOf('y', 0, 0).click();
  await done(page).waitFor();
  expect(await wrong(page).textContent()).toBe('');

  await page.goto(`${page.url().split('#')[0]}#lesson=sliding.2`);
  await expect.poll(() => heading(page).textContent()).toBe('How many positions there are');
  await setField(page, 'kernel', '4');
  await expect.poll(() => wrong(page).textContent()).toBe('y is now 2 × 2. The task asks for 4 × 4.');
  await setField(page, 'kernel', '2');
  await done(page).waitFor();
  expect(await wrong(page).textContent()).toBe('');
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('shows only what a step speaks of, all of it on request, and the earlier settings after the lesson', async () => {
  const { page, troubles } = await openPage(stage, {}, NOTEBOOK_4);
  await page.locator('main .panel--dx').waitFor();
  const views = page.locator('.views--groups [role="tab"]');
  const sides = page.locator('.side > .tabs > .tabs__list [role="tab"]');
  await sides.first().waitFor();
  const before = [await views.count(), await sides.count()];
  const first = CORE[0];
  await begin(page, 'mouse', first?.title ?? '');
  const panels = () => page.locator('main .panel').evaluateAll((all) => all.map((panel) => panel.className));
  await expect.poll(panels).toEqual(['panel panel--x', 'panel panel--w', 'panel panel--y']);
  expect([await views.count(), await sides.count()]).toEqual([1, 1]);
  expect(await page.locator('.controls').count()).toBe(0);
  const inView = await page.evaluate(() => {
    const all = document.querySelectorAll('button, a[href], input, select, summary, [role="tab"], [tabindex="0"]');
    return [...all].filter((element) => {
      const { width, height, top, bottom } = element.getBoundingClientRect();
      return width > 0 && height > 0 && bottom > 0 && top < window.innerHeight;
    }).length;
  });
  expect(inView).toBeLessThanOrEqual(40);
  await page.getByRole('button', { name: 'All controls' }).click();
  await expect.poll(() => page.locator('main .panel--dx').count()).toBe(1);
  expect([await views.count(), await sides.count()]).toEqual(before);
  await page.locator('.controls').waitFor();
  await page.getByRole('button', { name: 'Leave lesson' }).click();
  await page.locator('.catalogue').waitFor();
  // A lesson that is opened again shows only its own parts again; leaving restores the rest.
  await begin(page, 'mouse', first?.title ?? '');
  await expect.poll(panels).toHaveLength(3);
  await page.getByRole('button', { name: 'Leave lesson' }).click();
  await page.locator('main .panel--dx').waitFor();
  expect([await views.count(), await sides.count()]).toEqual(before);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('lists a core path with minutes, and ends it with a recap and the way to the exercises', async () => {
  const last = CORE.at(-1);
  const ending = last && endingOf(last);
  if (!last || !ending) throw new Error('the path has no end');
  const { page, troubles } = await openPage(stage, {}, `#lesson=${last.id}.${last.steps.length}`);
  await heading(page).waitFor();
  await page.getByRole('button', { name: 'Show me' }).click();
  await done(page).waitFor();
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByRole('region', { name: ending.title }).waitFor();
  await page.getByRole('heading', { name: /^Core path 8 lessons, about \d+ minutes$/ }).waitFor();
  await page.getByRole('heading', { name: /^Further lessons 9 lessons/ }).waitFor();
  expect(await page.locator('.catalogue__lesson').first().textContent()).toMatch(/\d min$/);
  await page.getByRole('button', { name: 'Go to the exercises' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Exercises');
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
  await expect.poll(() => words.first().textContent()).toContain('What is dx[2,2]');
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
      await page.locator('.lesson, .lecture').first().waitFor();
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
