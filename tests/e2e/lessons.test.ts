import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { LESSONS, linkOf, PATHS, pathEndedBy, stepRefOf } from '../../web/src/lessons/lessons';
import { THOROUGH } from '../thorough';
import { NOTEBOOK_4, openPage, openStage, useStage } from './support/browser';
import { readNumbers, setField } from './support/grids';
import { begin, DEVICES, done, heading, INPUT_DEVICES, type InputDevice, performTask } from './support/lesson-user';
import { chooseFrom } from './support/modes';

// Walks lessons from the first to the last step: does the task of each step in the view and in the controls, then Next
// to enabled.

const stage = useStage();

/** Together they select cells, type a value, play, open a view and check a checkbox. */
const SOME: Readonly<Record<InputDevice, readonly string[]>> = {
  mouse: ['gather', 'chain-rule'],
  keyboard: ['one-window'],
  touch: ['pooling'],
};

const DEVICE_NAMES = Object.keys(DEVICES) as InputDevice[];

/** With `--thorough`, each lesson once, with another device than the lesson before. */
const WALKS = DEVICE_NAMES.flatMap((hand, at) =>
  LESSONS.filter(({ id }, i) => SOME[hand].includes(id) || (THOROUGH && i % DEVICE_NAMES.length === at)).map(
    (lesson) => ({
      hand,
      lesson,
      id: lesson.id,
    }),
  ),
);

it.each(WALKS)('completes the lesson $id by $hand', async ({ hand, lesson }) => {
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
  const path = pathEndedBy(lesson);
  if (following && !path) await expect.poll(() => heading(page).textContent()).toBe(following.steps[0].title);
  else await page.getByRole('heading', { name: `${path?.title}: 1 of ${path?.lessons.length} lessons done` }).waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});

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

it('shows only what a step speaks of, all of it on request, and the earlier settings after the lesson', async () => {
  const { page, troubles } = await openPage(stage, {}, NOTEBOOK_4);
  await page.locator('main .panel--dx').waitFor();
  const views = page.locator('.views--groups [role="tab"]');
  const sides = page.locator('.side > .tabs > .tabs__list [role="tab"]');
  await sides.first().waitFor();
  const before = [await views.count(), await sides.count()];
  const [first] = LESSONS;
  await begin(page, 'mouse', first?.title ?? '');
  const panels = () => page.locator('main .panel').evaluateAll((all) => all.map((panel) => panel.className));
  await expect.poll(panels).toEqual(['panel panel--x', 'panel panel--w', 'panel panel--y']);
  expect([await views.count(), await sides.count()]).toEqual([1, 1]);
  expect(await page.locator('.controls').count()).toBe(0);
  // The way to the lessons is not needed here; the cross leads to the list.
  expect(await page.getByRole('button', { name: 'Start here' }).count()).toBe(0);
  const inView = await page.evaluate(() => {
    const all = document.querySelectorAll('button, a[href], input, select, summary, [role="tab"], [tabindex="0"]');
    return [...all].filter((element) => {
      const { width, height, top, bottom } = element.getBoundingClientRect();
      return width > 0 && height > 0 && bottom > 0 && top < window.innerHeight;
    }).length;
  });
  expect(inView).toBeLessThanOrEqual(40);
  await page.getByText('I teach').click();
  await page.getByRole('button', { name: 'All controls' }).click();
  await expect.poll(() => page.locator('main .panel--dx').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Start here' }).count()).toBe(0);
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
  const [core] = PATHS;
  const last = core?.lessons.at(-1);
  if (!core || !last) throw new Error('the path has no end');
  const { page, troubles } = await openPage(stage, {}, `#lesson=${last.id}.${last.steps.length}`);
  await heading(page).waitFor();
  await page.getByRole('button', { name: 'Show me' }).click();
  await done(page).waitFor();
  await page.getByRole('button', { name: 'Finish' }).click();
  // Of one lesson it names what comes next.
  await page.getByRole('region', { name: core.title }).getByText(`Next: ${core.lessons[0]?.title}.`).waitFor();
  const recap = page.getByRole('region', { name: core.ending.title });
  expect(await recap.count()).toBe(0);
  const all = JSON.stringify({ done: core.lessons.map(({ id }) => id) });
  // In another tab.
  await page.evaluate((text) => {
    localStorage.setItem('conv2d playground lessons', text);
    dispatchEvent(new Event('storage'));
  }, all);
  await recap.waitFor();
  await page.getByRole('heading', { name: /^Core path 8 lessons, about \d+ minutes$/ }).waitFor();
  await page.getByRole('heading', { name: /^Further lessons 16 lessons/ }).waitFor();
  expect(await page.locator('.catalogue__lesson').first().textContent()).toMatch(/\d min$/);
  await page.getByRole('button', { name: 'Go to the exercises' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Exercises');
  await page.context().close();
  expect(troubles).toEqual([]);
});

/** Runs in the page from its start: whether a part that the lesson does not speak of was ever drawn. */
function watchForRest(): void {
  new MutationObserver(() => {
    if (document.querySelector('.controls, main .panel--dx, [data-tab="code"]')) document.title = 'the rest was shown';
  }).observe(document, { childList: true, subtree: true });
}

const DW = stepRefOf('dw.2');

it.each(['#lesson=dw.2', `#${DW && linkOf(DW)}`])(
  'a link to a lesson that loads slowly never shows the rest of the page: %s',
  async (link) => {
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const asked: string[] = [];
    const slow = await openStage({
      patch: (file, body) => {
        if (!/\/(course|lessons|Lessons)-[^/]*\.js$/i.test(file)) return body;
        asked.push(file);
        return { body, after: arrived };
      },
    });
    const context = await slow.newContext({ viewport: { width: 1280, height: 720 }, serviceWorkers: 'block' });
    await context.addInitScript(watchForRest);
    const page = await context.newPage();
    await page.goto(slow.site.url + link);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    arrive();
    await heading(page).waitFor();
    await page.locator('main .panel--dw').waitFor();
    expect(await page.title()).not.toBe('the rest was shown');
    await slow.close();
  },
);

/** Whether all of an element is in sight: in the part of the page that scrolls, and not below another. */
const isInSight = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      // A mark lies over the cells of its panel.
      const around = element.closest('.panel') ?? element;
      return [2, height / 2, height - 2].every((y) => {
        const there = document.elementFromPoint(left + width / 2, top + y);
        return there !== null && (around.contains(there) || there.contains(element));
      });
    });

it.each([
  ['sliding.1', ['x', 'y']],
  ['padding.2', ['x', 'y']],
  ['dw.1', ['x', 'w']],
] as const)('on a phone %s shows the window and the cell that it speaks of', async (name, tensors) => {
  const { page, troubles } = await openPage(stage, DEVICES.touch, `#lesson=${name}`);
  await heading(page).waitFor();
  for (const tensor of tensors)
    await expect
      .poll(() => isInSight(page, `main .panel--${tensor} :is(.mark--focus, .mark--source)`), { message: tensor })
      .toBe(true);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it.each([
  [390, 844],
  [844, 390],
])(
  'in a window of %i x %i the asked cell, the box for the answer and the buttons are in sight together',
  async (width, height) => {
    const { page, troubles } = await openPage(
      stage,
      { ...DEVICES.touch, viewport: { width, height } },
      '#lesson=gather.2',
    );
    for (const link of ['#lesson=gather.2', '#lesson=one-window.2', '#lesson=forward-sums.1&side=lesson']) {
      await page.goto('about:blank');
      await page.goto(`${stage.site.url}${link}`);
      const parts = ['main .mark--focus', '.predict__guess input', '.predict__guess button', '.lesson__bar', '.dock'];
      for (const part of parts)
        await expect.poll(() => isInSight(page, part), { message: `${link}: ${part}` }).toBe(true);
    }
    await page.context().close();
    expect(troubles).toEqual([]);
  },
);

it('on a phone the box for a value is in view once its cell is chosen', async () => {
  const { page, troubles } = await openPage(stage, DEVICES.touch, '#lesson=one-window.3');
  await page.locator('main .panel--x [role="gridcell"][data-row="1"][data-col="2"]').tap();
  const box = page.locator('.value-edit input');
  await box.waitFor();
  await expect
    .poll(() => box.evaluate((element) => element.getBoundingClientRect().bottom <= window.innerHeight))
    .toBe(true);
  await box.fill('1');
  await box.press('Enter');
  await done(page).waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});
