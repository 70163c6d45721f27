import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { letterName } from '../../web/src/app/lesson/spot/bugs';
import { bugAt } from '../../web/src/worker/mistakes';
import { openPage, useStage } from './support/browser';
import { FAULTS, type FaultName, TECHNICAL_TERMS } from './support/faults';
import type { Serving } from './support/site';

// Finds two bugs, one by mouse and one by keyboard. Results of the bugs: tests/cpp/mistakes; the worker's answers:
// tests/web/contract/bug.test.ts.

const serving: Serving = {};
const stage = useStage(serving);

const SEED = 7;
/** The problem of the lesson on the flip: dx[1,1] is 77, and 23 without the flip. */
const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const SIX = 'h=6&kh=3&x=random:3&weights=countdown:9&dy=random:4';

const spot = (page: Page) => page.locator('.spot');
const told = (page: Page) => page.locator('.spot__told');
const titles = async (page: Page) =>
  (await page.locator('.spot__name option').allTextContents()).filter((title) => !title.startsWith('Choose'));

/** Letter (0 = A) of the bug with this title in the order of the seed. */
async function letterOf(page: Page, title: string): Promise<number> {
  const all = await titles(page);
  const letter = all.findIndex((_, at) => all[bugAt(SEED, at, all.length)] === title);
  expect(letter, title).toBeGreaterThanOrEqual(0);
  return letter;
}

const follow = async (page: Page, problem: string, letter: number): Promise<void> => {
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `${problem}&side=lesson&lesson=bug-${SEED}-dx.${letter + 1}`,
  );
  await expect.poll(() => page.locator('.spot__name h3').textContent()).toBe(`Which bug is ${letterName(letter)}?`);
};

it('bugs can be examined and named by mouse and by keyboard, and the score survives a reload', async () => {
  const { page, troubles } = await openPage(stage, {}, `#${FOUR}`);
  await page.getByRole('button', { name: 'Start here' }).click();
  await page.getByRole('button', { name: 'Spot the bug' }).click();
  await page.locator('.spot__name').waitFor();
  // The order is random. A bug that this problem does not show in dx opens on another tensor.
  await expect.poll(() => page.url()).toMatch(/lesson=bug-\d+-(?:y|dx|dw|db)\.1/);

  // The forgotten flip.
  const unflipped = await letterOf(page, 'Weight of the opposite corner');
  await follow(page, FOUR, unflipped);
  const name = letterName(unflipped);
  const map = page.getByRole('main').getByRole('grid', { name: `dx with bug ${name}` });
  await expect.poll(() => map.getByRole('gridcell').nth(5).textContent()).toBe('23');
  const off = page.getByRole('main').getByRole('grid', { name: `error of bug ${name} in dx` });
  expect(await off.getByRole('gridcell').nth(5).textContent()).toBe('−54');
  expect(await spot(page).textContent()).toContain('16 of 16 cells of dx are wrong');
  expect(await page.locator('.spot__check').textContent()).toContain(
    `fails in 16 of 16 cells.It moves each cell of x a little up and down. It measures the change of the loss L = Σ y · dy, with the correct y and dy. The largest error is in dx[1,1]: measured 77, with bug ${name} 23.`,
  );
  await spot(page).getByRole('radio', { name: 'y', exact: true }).check();
  await expect.poll(() => page.locator('.spot__check').textContent()).toContain('cannot find a bug in y');
  await page.locator('.spot select').selectOption({ label: 'Averaged instead of summed' });
  await page.getByRole('button', { name: 'Check' }).click();
  await expect.poll(() => told(page).textContent()).toMatch(/^No: /);
  await page.locator('.spot select').selectOption({ label: 'Weight of the opposite corner' });
  await page.getByRole('button', { name: 'Check' }).click();
  await expect.poll(() => told(page).textContent()).toMatch(/^✓ Correct: Weight of the opposite corner\./);
  // The wrong line beside the right one, in the loops of the tensor that is shown.
  const lines = () => page.locator('.spot__code dd').allTextContents();
  expect(await lines()).toEqual([
    'sum += x[n][r][s][c] * w[p][q][c][k];',
    'sum += x[n][r][s][c] * w[KH-1-p][KW-1-q][c][k];',
  ]);
  await spot(page).getByRole('radio', { name: 'dw', exact: true }).check();
  await expect
    .poll(lines)
    .toEqual([
      'dw[p][q][c][k] += x[n][r][s][c] * dy[n][i][j][k];',
      'dw[KH-1-p][KW-1-q][c][k] += x[n][r][s][c] * dy[n][i][j][k];',
    ]);
  expect(await spot(page).textContent()).toMatch(/1 of \d+ found, 2 guesses/);

  // The link opens the lesson, and leaving the lesson returns to the bug.
  await page
    .locator('.spot__name')
    .getByRole('button', { name: /^Lesson: One window, one number/ })
    .click();
  await expect.poll(() => page.locator('.lesson__title').textContent()).toBe('How it is written');
  await page.getByRole('button', { name: 'Leave lesson' }).click();
  await expect.poll(() => page.locator('.spot__name h3').textContent()).toBe(`Which bug is ${name}?`);

  // A bug that these settings do not expose; the rest by keyboard.
  const dilation = await letterOf(page, 'Dilation forgotten');
  await follow(page, SIX, dilation);
  await expect.poll(() => spot(page).textContent()).toContain('These settings do not expose the bug');
  expect(await spot(page).textContent()).toContain('The gradient check passes: all 36 cells of dx');
  const choose = async (first: string) => {
    await page.locator('.spot select').focus();
    await page.keyboard.press(first);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
  };
  await choose('C');
  await expect.poll(() => told(page).textContent()).toContain('gives the same values here');
  await page.getByRole('checkbox', { name: 'dilation 2' }).focus();
  await page.keyboard.press('Space');
  await expect.poll(() => spot(page).textContent()).toContain('cells of dx are wrong');
  // A verdict on another problem disappears.
  expect(await told(page).textContent()).toBe('');
  await choose('D');
  await expect.poll(() => told(page).textContent()).toMatch(/^✓ Correct: Dilation forgotten\./);
  await page.locator('.spot__letters input:checked').focus();
  await page.keyboard.press('ArrowRight');
  const next = letterName((dilation + 1) % (await titles(page)).length);
  await expect.poll(() => page.locator('.spot__name h3').textContent()).toBe(`Which bug is ${next}?`);

  // The address does not reveal the bug, and the score survives a reload.
  expect(page.url()).toMatch(/lesson=bug-7-dx\.\d+/);
  expect(page.url()).not.toMatch(/opposite|forgotten|averaged/);
  await page.reload();
  await expect.poll(() => spot(page).textContent()).toMatch(/2 of \d+ found/);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('every letter opens on a wrong result, and leaving gives back the problem', async () => {
  const { page, troubles } = await openPage(stage, {}, '#h=4&kh=3&x=ones&weights=ones&dy=ones');
  await page.getByRole('button', { name: 'Start here' }).click();
  await page.getByRole('button', { name: 'Spot the bug' }).click();
  await page.locator('.spot__name').waitFor();
  const count = (await titles(page)).length;
  const dilation = await letterOf(page, 'Dilation forgotten');
  const radio = page.locator('.spot__letters input');
  const wrong = /[1-9]\d* of \d+ cells? of \w+ (is|are) wrong/;
  for (let letter = 0; letter < count; letter += 1) {
    if (letter > 0) await radio.nth(letter).check();
    const name = letterName(letter);
    await expect.poll(() => page.locator('.spot__name h3').textContent()).toBe(`Which bug is ${name}?`);
    await page
      .getByRole('grid', { name: `with bug ${name}` })
      .or(page.locator('.spot .notice'))
      .first()
      .waitFor();
    // Until the problem that exposes it is computed, the panels are still about the problem before.
    await expect.poll(() => page.locator('.spot__none').first().textContent(), { message: name }).toMatch(wrong);
    expect(await spot(page).textContent(), name).not.toContain('do not expose');
  }
  // Letters, what is wrong, settings and name, in this order.
  const tops = await page.evaluate(() =>
    ['.spot__letters', '.spot__none', '.spot__tries', '.spot__name'].map(
      (part) => document.querySelector(part)?.getBoundingClientRect().top,
    ),
  );
  expect([...tops].sort((a = 0, b = 0) => a - b)).toEqual(tops);
  await page.getByRole('button', { name: 'Back to the lessons' }).click();
  await page.locator('.catalogue').waitFor();
  await expect.poll(() => page.url()).toMatch(/h=4&.*x=ones&weights=ones&dy=ones/);
  // A link that names no problem.
  const { page: linked } = await openPage(stage, {}, `#side=lesson&lesson=bug-${SEED}-dx.${dilation + 1}`);
  await linked
    .getByRole('grid', { name: /with bug/ })
    .first()
    .waitFor();
  await expect.poll(() => linked.locator('.spot__none').first().textContent()).toMatch(wrong);
  await page.context().close();
  expect(troubles).toEqual([]);
});

// Faults of the room's own script: tests/e2e/late-faults.test.ts.
it('a failed load of the bug module gives a message, and trying again recovers from any fault', async () => {
  const harms: readonly (readonly [RegExp, FaultName])[] = [
    [/mistakes-[^/]*\.js$/, 'missing'],
    [/mistakes-[^/]*\.js$/, 'another page'],
    [/mistakes-[^/]*\.wasm$/, 'missing'],
    [/mistakes-[^/]*\.wasm$/, 'truncated'],
    [/mistakes-[^/]*\.wasm$/, 'another page'],
  ];
  let met = 0;
  const harm = ([file, fault]: readonly [RegExp, FaultName]) => {
    serving.patch = (name, body) => {
      if (!file.test(name)) return body;
      met += 1;
      return FAULTS[fault](body);
    };
  };
  const [first, ...others] = harms;
  if (first) harm(first);
  const { page } = await openPage(stage, {}, `#${FOUR}&side=lesson&lesson=bug-${SEED}-dx.1`);
  const notice = spot(page).locator('.notice--wrong');
  for (const next of [...others, null]) {
    await notice.waitFor();
    const words = (await notice.textContent()) ?? '';
    expect(words).toContain('failed to load. Check your connection and try again');
    expect(words).not.toMatch(TECHNICAL_TERMS);
    if (next) harm(next);
    else serving.patch = undefined;
    const before = met;
    await notice.getByRole('button', { name: 'Try again' }).click();
    if (next) await expect.poll(() => met).toBeGreaterThan(before);
  }
  await page.locator('.spot__name').waitFor();
  await page.context().close();
});
