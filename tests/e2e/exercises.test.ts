import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { readsCells } from '../../web/src/app/lesson/exercise/counts';
import type { CellQuestion, ExerciseQuestion } from '../../web/src/app/lesson/exercise/question';
import { drawOf, NO_WORK } from '../../web/src/app/lesson/exercise/work';
import { EXERCISES } from '../../web/src/lessons/exercises';
import { THOROUGH } from '../thorough';
import { Decider } from '../web/lessons/draws';
import { passesOf } from '../web/lessons/loops';
import { layerOf } from '../web/support/problems';
import { openPage, useStage } from './support/browser';
import { grid } from './support/grids';
import { DEVICES, INPUT_DEVICES } from './support/lesson-user';

// A set of exercises from the first question to the submitted link, and the view of the teacher.

const stage = useStage();

const sums = EXERCISES.find(({ id }) => id === 'forward-sums');
if (!sums) throw new Error('there are no forward sums');

let questions: readonly ExerciseQuestion[] = [];
let decider: Decider;
beforeAll(async () => {
  decider = await Decider.load();
  questions = await decider.all(sums, [1]);
});

/** The answer to a question of that set, by plain loops. */
function right(index: number): number {
  const { problem, cell } = questions[index] as CellQuestion;
  const { oh, ow } = { oh: passesOf(problem).size('y')[0], ow: passesOf(problem).size('y')[1] };
  const { k } = layerOf(problem).desc;
  const position = [Math.floor(cell.index / k / ow) % oh, Math.floor(cell.index / k) % ow, cell.index % k];
  return passesOf(problem).at('y', [...position, Math.floor(cell.index / k / ow / oh)]);
}

const panel = (page: Page) => page.getByRole('region', { name: 'Exercises: Forward sums' });
const marks = (page: Page) =>
  panel(page)
    .getByRole('row')
    .evaluateAll((rows) => rows.slice(1).map((row) => row.textContent?.replace(/^\d/, '')));

async function write(page: Page, text: string): Promise<void> {
  const box = panel(page).getByRole('textbox', { name: /=$/ });
  await box.fill(text);
  await box.press('Enter');
}

const waitForQuestion = (page: Page, number: number) =>
  panel(page).getByText(`${number} of 6`, { exact: false }).waitFor();

it('answers are handed in by a link, and the link shows them marked', async () => {
  const { page, troubles } = await openPage(stage, { permissions: ['clipboard-read', 'clipboard-write'] }, '');
  await page.getByRole('button', { name: 'Start here' }).click();
  await page.getByRole('button', { name: /^Forward sums/ }).click();
  await waitForQuestion(page, 1);
  // A wrong one, then the correct one.
  await write(page, String(right(0) + 0.5));
  await panel(page).getByText('is not').waitFor();
  await write(page, String(right(0)));
  await panel(page).getByText('is correct').waitFor();
  expect(await panel(page).getByText('1 right', { exact: true }).count()).toBe(1);
  await page.getByRole('button', { name: 'Next question' }).click();
  // With two hints.
  await waitForQuestion(page, 2);
  await page.getByRole('button', { name: 'Hint: the cells' }).click();
  await panel(page).getByText('Multiply the outlined cells of x by those of w, and add.').waitFor();
  const products = page.locator('.terms, .planes').first();
  expect(await products.count()).toBe(0);
  await page.getByRole('button', { name: 'Hint: the products' }).click();
  await products.waitFor();
  await write(page, String(right(1)));
  await panel(page).getByText('is correct').waitFor();
  // What was answered outlives a reload.
  await expect.poll(() => page.url()).toContain('answers=');
  await page.reload();
  await waitForQuestion(page, 2);
  await panel(page).getByText('You wrote').waitFor();
  await panel(page).getByRole('button', { name: 'Question 3: not answered' }).click();
  await waitForQuestion(page, 3);
  await page.getByRole('button', { name: /^Reveal y/ }).click();
  await panel(page).getByRole('button', { name: 'Question 4: not answered' }).click();
  await waitForQuestion(page, 4);
  await write(page, '1000');
  await panel(page).getByText('is not').waitFor();
  for (const number of [5, 6]) {
    await panel(page)
      .getByRole('button', { name: /^(Skip|Next question)$/ })
      .click();
    await waitForQuestion(page, number);
  }
  await panel(page).getByRole('button', { name: 'Skip' }).click();
  await panel(page).getByText('2 of 6 right.').waitFor();
  const minusSigned = (value: number) => String(value).replace('-', '\u2212');
  const expected = [
    `${minusSigned(right(0))}✓ right, after 1 wrong`,
    `${minusSigned(right(1))}✓ right, with two hints`,
    '–revealed',
    '1000✗ wrong',
    '–not answered',
    '–not answered',
  ];
  expect(await marks(page)).toEqual(expected);
  await panel(page).getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied').waitFor();
  const handedIn = await page.evaluate(() => navigator.clipboard.readText());
  expect(troubles).toEqual([]);
  await page.context().close();

  // The teacher, on another machine. Edited answers are checked again, and do not count.
  const teacher = await openPage(stage, {}, new URL(handedIn).hash);
  await panel(teacher.page).getByText('2 of 6 right.').waitFor();
  expect(await marks(teacher.page)).toEqual(expected);
  await teacher.page.evaluate(
    (to) => {
      location.hash = to;
    },
    new URL(handedIn).hash.replace(/answers=[^&]*/, `answers=${right(0) + 1}_${right(1)}_1_2_3_${right(5)}`),
  );
  await panel(teacher.page).getByText('Edited by hand, not counted: 2 of 6 values are right.').waitFor();
  await expect
    .poll(async () => (await marks(teacher.page)).map((mark) => mark?.replace(/^.*(right|wrong)/, '$1')))
    .toEqual([false, true, false, false, false, true].map((is) => `${is ? 'right' : 'wrong'} value, help unknown`));
  // Leaving gives the page back.
  await teacher.page.getByRole('button', { name: 'Leave exercises' }).click();
  await teacher.page.getByRole('heading', { name: 'Exercises' }).waitFor();
  const y = grid(teacher.page, 'y').or(grid(teacher.page, 'y[n=0, k=0]'));
  await expect.poll(() => y.textContent()).not.toContain('?');
  expect(teacher.troubles).toEqual([]);
  await teacher.page.context().close();
});

it('while a question is open, its problem cannot be changed, and a mark stays', async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=forward-sums.1');
  // A link that names only the question opens it with its value hidden.
  await waitForQuestion(page, 1);
  await panel(page).getByText('Indices: row, column').waitFor();
  await expect.poll(() => page.url()).toContain('hidden=y.');
  await panel(page).getByRole('textbox', { name: /=$/ }).waitFor();
  const problem = () =>
    page
      .url()
      .replace(/.*#/, '')
      .replace(/&(cell|hidden|side|lesson|answers|slice)=.*/, '');
  const before = problem();
  // Sizes and sources, each locked with its reason.
  expect(await page.locator('#controls-x .held, .controls .held').count()).toBeGreaterThan(8);
  await page.getByText('Locked during the exercise.').first().waitFor({ state: 'attached' });
  expect(await page.locator('.held__inside:not([disabled])').count()).toBe(0);
  // A cell, by keyboard.
  const cell = page.locator('main .panel--x [role="gridcell"]').first();
  await cell.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  expect(problem()).toBe(before);
  // Undo would restore the state before the question.
  const undo = page.getByRole('button', { name: 'Undo (locked during the exercise)' });
  expect(await undo.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('ControlOrMeta+z');
  expect(problem()).toBe(before);
  await write(page, String(right(0)));
  await panel(page).getByText('is correct').waitFor();
  expect(problem()).toBe(before);
  await panel(page).getByRole('button', { name: 'Question 6: not answered' }).click();
  await waitForQuestion(page, 6);
  await panel(page).getByRole('button', { name: 'Skip' }).click();
  await panel(page).getByText('1 of 6 right.').waitFor();
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('after its problem was replaced, a question only offers to restore it', async () => {
  const { page } = await openPage(stage, {}, '#lesson=forward-sums.1');
  await waitForQuestion(page, 1);
  await panel(page).getByRole('textbox', { name: /=$/ }).waitFor();
  await page.getByRole('button', { name: 'Examples' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Sobel|bright corner/i })
    .first()
    .click();
  await panel(page).getByText('The problem on the page has changed.').waitFor();
  expect(await panel(page).getByRole('textbox', { name: /=$/ }).count()).toBe(0);
  await panel(page).getByRole('button', { name: 'Restore' }).click();
  await write(page, String(right(0)));
  await panel(page).getByText('is correct').waitFor();
  await page.context().close();
});

it('after its network was replaced by one layer, a question only offers to restore it', async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=gates-and-pools.1');
  const exercise = page.getByRole('region', { name: 'Exercises: Gates and pools' });
  const box = exercise.getByRole('textbox', { name: 'dy1[1,1] =' });
  await box.waitFor();
  await page.getByRole('button', { name: 'Examples' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /bright corner/i })
    .click();
  await exercise.getByText('The problem on the page has changed.').waitFor();
  expect(await box.count()).toBe(0);
  await exercise.getByRole('button', { name: 'Restore' }).click();
  await box.waitFor();
  await expect.poll(() => grid(page, 'dy1').textContent()).toContain('?');
  await page.context().close();
  expect(troubles).toEqual([]);
});

/** What the tensors outline besides the current cell, and whether Explain lists terms or uses. */
const outlines = (page: Page) =>
  page.evaluate(() => ({
    marks: document.querySelectorAll('main .mark--source, main .mark--target').length,
    listed: document.querySelectorAll('.lesson-cell .feeds').length,
    // Open gates and winners of a network.
    routes: document.querySelectorAll('main .net .mark--winner, main .net .mark--unread').length,
    player: document.querySelectorAll('.dock .scrubber').length,
  }));

const HINTED = ['forward-sums.1', 'gradients.1', 'gradients.2', 'geometry.2', 'two-layers.2', 'gates-and-pools.4'];

it('before a hint, a question shows no cell of its sum, at any pointer move', async () => {
  for (const name of THOROUGH ? HINTED : HINTED.filter((_, at) => at % 2 === 1)) {
    const { page, troubles } = await openPage(stage, {}, `#lesson=${name}`);
    const exercise = page.getByRole('region', { name: /^Exercises: / });
    await exercise.getByRole('textbox', { name: /=$/ }).waitFor();
    const nothing = { marks: 0, listed: 0, player: 0, routes: 0 };
    await expect.poll(() => outlines(page)).toEqual(nothing);
    for (const cell of await page.locator('main .panel [role="gridcell"]').all()) {
      // Small weights are drawn on a canvas above it.
      await cell.hover({ force: true });
      expect(await outlines(page)).toEqual(nothing);
    }
    await page.mouse.move(5, 5);
    // The other views show which cells belong together.
    for (const tab of await page.getByRole('tablist', { name: 'Views' }).getByRole('tab', { selected: false }).all()) {
      expect(await tab.getAttribute('title')).toBe('Opens after a hint');
    }
    await page.getByRole('button', { name: 'Hint: the cells' }).click();
    await expect.poll(async () => (await outlines(page)).marks).toBeGreaterThan(0);
    expect((await outlines(page)).routes > 0).toBe(name.startsWith('gates'));
    expect(await page.getByRole('tab', { name: 'Sizes and coverage' }).getAttribute('title')).not.toBe(
      'Opens after a hint',
    );
    // Leaving gives everything back.
    await page.getByRole('button', { name: 'Leave exercises' }).click();
    await page.getByRole('heading', { name: 'Exercises' }).waitFor();
    expect(await page.locator('.held').count()).toBe(0);
    await page.locator('.dock .scrubber').waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
  }
});

it('values of a network are asked for, judged, revealed and marked', async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=gates-and-pools.1');
  const exercise = page.getByRole('region', { name: 'Exercises: Gates and pools' });
  await exercise.getByRole('heading', { name: 'What is dy1[1,1]?' }).waitFor();
  await exercise.getByText('Layer 2: ReLU.').waitFor();
  const cell = async (tensor: string) =>
    Number(
      (await grid(page, tensor).locator('[data-row="1"][data-col="1"]').textContent())?.trim().replace('\u2212', '-'),
    );
  const box = exercise.getByRole('textbox', { name: 'dy1[1,1] =' });
  const answer = async (text: string) => {
    await box.fill(text);
    await box.press('Enter');
  };
  await box.waitFor();
  await expect.poll(() => grid(page, 'dy1').textContent()).toContain('?');
  // The gate is open, and the gradient is negative.
  const [gate, dy] = [await cell('y1'), await cell('dy2')];
  expect([gate > 0, dy < 0]).toEqual([true, true]);
  await answer('0');
  await exercise.getByText('common mistake gives exactly that').waitFor();
  await page.getByRole('button', { name: 'Hint: the cells' }).click();
  await exercise.getByText('The cells that it is computed from are outlined.').waitFor();
  await page.getByRole('button', { name: 'Hint: the formula' }).click();
  await exercise.getByText('dy1[1,1] = dy2[1,1] if y1[1,1] is above 0, else 0').waitFor();
  await answer(String(dy));
  await exercise.getByText('is correct').waitFor();
  await expect.poll(() => cell('dy1')).toBe(dy);
  await exercise.getByRole('button', { name: 'Next question' }).click();
  await exercise.getByText('2 of 8', { exact: false }).waitFor();
  await exercise.getByRole('button', { name: /^Reveal y2/ }).click();
  await expect.poll(() => grid(page, 'y2').textContent()).not.toContain('?');
  // What was answered outlives a reload.
  await page.reload();
  await exercise.getByText('You revealed the answer.').waitFor();
  await exercise.getByRole('button', { name: 'Question 8: not answered' }).click();
  await exercise.getByText('8 of 8', { exact: false }).waitFor();
  await exercise.getByRole('button', { name: 'Skip' }).click();
  await exercise.getByText('1 of 8 right.').waitFor();
  const rows = exercise.getByRole('row');
  const texts = async () => (await rows.allTextContents()).slice(1, 4);
  const expected = [
    `1${String(dy).replace('-', '\u2212')}✓ right, with two hints, after 1 wrong`,
    '2–revealed',
    '3–not answered',
  ];
  expect(await texts()).toEqual(expected);
  // The address is written a moment after the marks are shown.
  await expect.poll(() => page.url()).toMatch(/lesson=gates-and-pools\.9&.*digest=/);
  // The same link elsewhere; then edited.
  const handedIn = new URL(page.url()).hash;
  await page.context().close();
  const teacher = await openPage(stage, {}, handedIn);
  const other = teacher.page.getByRole('region', { name: 'Exercises: Gates and pools' });
  await other.getByText('1 of 8 right.').waitFor();
  expect((await other.getByRole('row').allTextContents()).slice(1, 4)).toEqual(expected);
  await teacher.page.goto('about:blank');
  await teacher.page.goto(`${stage.site.url}${handedIn.replace(/answers=[^&]*/, `answers=${dy}_999`)}`);
  await other.getByText('Edited by hand, not counted: 1 of 8 values are right.').waitFor();
  await teacher.page.context().close();
  expect([...troubles, ...teacher.troubles]).toEqual([]);
});

it('a receptive field is counted without a network on the page', async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=receptive-fields.1');
  const exercise = page.getByRole('region', { name: 'Exercises: Receptive fields' });
  await exercise.getByText('x has 40 × 40 cells.').waitFor();
  const box = exercise.getByRole('textbox', { name: 'Answer' });
  // conv 3 × 5 with stride 2, average pooling 2 × 2 with stride 2, conv 3 × 3: 3 + 1 · 2 + 2 · 4 rows, without the strides 3 + 1 + 2.
  for (const [text, verdict] of [
    ['6', 'Strides forgotten'],
    ['13', 'is correct'],
  ] as const) {
    await box.fill(text);
    await box.press('Enter');
    await exercise.getByText(verdict, { exact: false }).waitFor();
  }
  await expect.poll(() => page.url()).toContain('answers=13m1');
  await page.context().close();
  expect(troubles).toEqual([]);
});

const READS = EXERCISES.find(({ id }) => id === 'readers');

it.each(['mouse', 'keyboard', 'touch'] as const)('cells that a sum reads are chosen by %s', async (hand) => {
  const question = READS && (await decider.question({ set: READS, index: 0 }, drawOf(NO_WORK)));
  if (question?.kind !== 'reads') throw new Error('the set has changed');
  const { page, troubles } = await openPage(stage, DEVICES[hand], '#lesson=readers.1');
  const exercise = page.locator('.exercise');
  await exercise.getByRole('heading', { name: question.title }).waitFor();
  const check = exercise.getByRole('button', { name: 'Check' });
  expect(await check.isDisabled()).toBe(true);
  const choose = async (index: number) => {
    const [row, col] = [Math.floor(index / question.cols), index % question.cols];
    if (hand === 'keyboard') await chooseByKeys(page, question.from, row, col);
    else await INPUT_DEVICES[hand].choose(page, question.from, row, col);
  };
  const cells = readsCells(question.right);
  const wrong = Array.from({ length: 20 }, (_, index) => index).find((index) => !cells.includes(index)) ?? 0;
  const chosen = exercise.getByText(/^Chosen: /);
  const outlined = page.locator(`main .panel--${question.from} .mark--term`);
  await choose(wrong);
  await chosen.waitFor();
  await expect.poll(() => outlined.count()).toBe(1);
  await check.click();
  await exercise.locator('.predict__verdict--wrong').waitFor();
  // Choosing a cell again takes it back.
  await choose(wrong);
  for (const index of cells) await choose(index);
  await expect.poll(async () => (await chosen.textContent())?.match(/\[/g)?.length).toBe(cells.length);
  await check.click();
  await exercise.locator('.predict__verdict--right').waitFor();
  expect(await page.locator('.lesson-cell').count()).toBe(0);
  // The answer is in the link, and a reload shows it.
  await expect.poll(() => page.url()).toContain(`answers=${question.right}m1`);
  await page.reload();
  await exercise.getByText(/^You chose /).waitFor();
  await expect.poll(() => outlined.count()).toBe(cells.length);
  await page.context().close();
  expect(troubles).toEqual([]);
});

/** Moves the focus to a cell with the arrow keys and presses Space. */
async function chooseByKeys(page: Page, tensor: string, row: number, col: number): Promise<void> {
  const stop = page.locator(`main .panel--${tensor} [role="gridcell"][tabindex="0"]`);
  await stop.focus();
  const [from, at] = await stop.evaluate((cell) => [Number(cell.dataset['row']), Number(cell.dataset['col'])]);
  const go = async (by: number, back: string, on: string) => {
    for (let i = 0; i < Math.abs(by); i += 1) await page.keyboard.press(by < 0 ? back : on);
  };
  await go(row - (from ?? 0), 'ArrowUp', 'ArrowDown');
  await go(col - (at ?? 0), 'ArrowLeft', 'ArrowRight');
  await page.keyboard.press('Space');
}
