import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LESSONS, linkOf } from '../../web/src/lessons/lessons';
import { closeStage, NOTEBOOK_4, openPage, openStage, type Stage } from './support/browser';
import { readNumbers, setField } from './support/grids';
import { carryOut, HANDS, type HandName } from './support/lesson-hands';
import { THOROUGH } from './support/thorough';

// Lessons are walked from the first step to the last as a person walks them: what a step asks for is done on the stage and in
// the controls, and then the way on is open.

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => closeStage(stage));

const DEVICES: Readonly<Record<HandName, object>> = {
  mouse: {},
  keyboard: {},
  touch: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

/** Between them they choose cells, type a value, play, open a view and tick a box. */
const SOME: Readonly<Record<HandName, readonly string[]>> = {
  mouse: ['gather'],
  keyboard: ['one-window'],
  touch: ['padding'],
};

const heading = (page: Page) => page.locator('.lesson__title');

/** From the button of the opening page to the first step of a lesson. */
async function begin(page: Page, hand: HandName, title: string): Promise<void> {
  const { press } = HANDS[hand];
  await page.locator('main .panel--dx').waitFor();
  await press(page.getByRole('button', { name: 'Start here' }));
  await press(page.locator('.catalogue__lesson', { hasText: title }).first());
  await heading(page).waitFor();
}

const WALKS = (Object.keys(DEVICES) as HandName[]).flatMap((hand) =>
  LESSONS.filter(({ id }) => THOROUGH || SOME[hand].includes(id)).map((lesson) => ({ hand, lesson, id: lesson.id })),
);

it.each(WALKS)(
  'the lesson $id is walked by $hand',
  async ({ hand, lesson }) => {
    const { page, troubles } = await openPage(stage, DEVICES[hand], '');
    await begin(page, hand, lesson.title);
    for (const [index, step] of lesson.steps.entries()) {
      const where = `${lesson.id} ${index + 1}`;
      await expect.poll(() => heading(page).textContent(), { message: where }).toBe(step.title);
      await expect.poll(() => page.locator('main .panel').count(), { message: where }).toBeGreaterThan(0);
      const onward = page.locator('.lesson__bar button').last();
      const { task } = step;
      if (task) {
        expect(await onward.textContent(), where).toBe('Skip');
        await carryOut(page, hand, linkOf({ lesson, index, step }), task);
        await expect.poll(() => page.locator('.lesson__task--done').count(), { message: `${where} is done` }).toBe(1);
      }
      expect(await onward.textContent(), where).not.toBe('Skip');
      await HANDS[hand].onward(page);
    }
    const following = LESSONS[LESSONS.indexOf(lesson) + 1];
    if (following) await expect.poll(() => heading(page).textContent()).toBe(following.steps[0].title);
    else await page.locator('.catalogue').waitFor();
    await page.context().close();
    expect(troubles).toEqual([]);
  },
  120_000,
);

it('a lesson is skipped through, shown, sent as a link, left; and what there was before is back', async () => {
  const { page, troubles } = await openPage(stage, {}, NOTEBOOK_4);
  await setField(page, 'stride', '3');
  const [first, second] = LESSONS;
  if (!first || !second) throw new Error('two lessons are needed');
  await begin(page, 'mouse', second.title);
  const before = 'stride=3';
  const spoken = page.locator('.lesson [role="status"]');
  await expect.poll(() => spoken.textContent()).toContain(second.steps[0].title);

  // Skipped, and back.
  await page.getByRole('button', { name: 'Skip' }).click();
  await expect.poll(() => heading(page).textContent()).toBe(second.steps[1]?.title);
  await page.keyboard.press('b');
  await expect.poll(() => heading(page).textContent()).toBe(second.steps[0].title);

  // Shown: the numbers are those of the solution, and the listener hears what there is to see.
  await page.getByRole('button', { name: 'Show me' }).click();
  await page.locator('.lesson__task--done').waitFor();
  await expect.poll(() => spoken.textContent()).toMatch(/^Done\. /);
  expect((await readNumbers(page, 'y'))[0]).toBe(174);

  // What a teacher sends is the step as one sees it.
  await expect.poll(() => page.url()).toContain(`lesson=${second.id}.1`);
  const sent = new URL(page.url()).hash;
  const { page: other } = await openPage(stage, {}, sent);
  await expect.poll(() => heading(other).textContent()).toBe(second.steps[0].title);
  await other.locator('.lesson__task--done').waitFor();
  await other.context().close();

  // Left, after a reload in the middle: the problem from before, and Undo leads into the lesson again.
  await page.reload();
  await expect.poll(() => heading(page).textContent()).toBe(second.steps[0].title);
  await heading(page).click();
  await page.keyboard.press('Escape');
  if ((await page.locator('.lesson').count()) > 0) await page.keyboard.press('Escape');
  await page.locator('.catalogue').waitFor();
  await expect.poll(() => page.url()).toContain(before);
  expect(page.url()).not.toContain('lesson=');
  expect(await page.locator('.catalogue__lesson', { hasText: second.title }).textContent()).toContain('at step 1');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => heading(page).textContent()).toBe(second.steps[0].title);
  await page.getByRole('button', { name: 'Leave the lesson' }).click();

  // A lesson that is not there is said to be missing.
  await page.goto(`${page.url().split('#')[0]}#h=5&side=lesson&lesson=nothing.3`);
  await page.getByText('no lesson step called “nothing.3”').waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('a lecture goes on by the keys of a presenter: words, stage, what is to be seen, the next step', async () => {
  const lesson = LESSONS.find(({ id }) => id === 'gather');
  const [first, second] = lesson?.steps ?? [];
  if (!lesson || !first?.task || !second) throw new Error('the lesson is another by now');
  const { page, troubles } = await openPage(stage, {}, `#${linkOf({ lesson, index: 0, step: first })}`);
  await page.getByRole('button', { name: 'Show on a projector' }).click();
  const words = page.locator('.lecture__words');
  const cell = page.locator('main .panel--dx [role="gridcell"]').first();
  const large = async () => (await cell.boundingBox())?.width ?? 0;
  await expect.poll(() => words.count()).toBe(first.words.length);
  expect(await cell.isVisible()).toBe(false);
  for (const away of ['.masthead', '.controls', 'main [role="tab"]']) {
    expect(await page.locator(away).first().isVisible(), away).toBe(false);
  }
  const size = (locator: typeof words) =>
    locator.first().evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
  expect(await size(words)).toBeGreaterThanOrEqual(30);

  // What is shown large stands in the link; one that is typed may name the lesson alone.
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
  await page.getByRole('button', { name: 'Teacher’s notes' }).click();
  await page.locator('.lecture__notes').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => heading(page).textContent()).toBe(first.title);
  expect(await page.locator('.masthead').isVisible()).toBe(true);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('a symbol of the derivation frames its panel, and a cell on the stage lights up its symbol', async () => {
  const { page, troubles } = await openPage(stage, {}, NOTEBOOK_4);
  await page.locator('main .panel--dx').waitFor();
  await page.getByRole('button', { name: 'Start here' }).click();
  await page.getByRole('button', { name: 'Where the formulas come from' }).click();
  const formulas = page.getByRole('math');
  await expect.poll(() => formulas.count()).toBeGreaterThan(10);
  // Set by the engine, not a row of words.
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
  const chip = page.getByRole('button', { name: 'frame w on the stage' }).first();
  await chip.press('Enter');
  await expect.poll(() => outline('w')).toBe('solid');
  await page.getByRole('button', { name: 'with numbers' }).first().click();
  await heading(page).waitFor();
  await page.getByRole('button', { name: 'Leave the lesson' }).click();
  await page.locator('.derivation').waitFor();
  await page.getByRole('button', { name: 'Back to the lessons' }).click();
  await page.locator('.catalogue').waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});
