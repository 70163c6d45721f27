import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { letterName } from '../../web/src/app/lesson/spot/place';
import { placeOnShelf } from '../../web/src/worker/shelf';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { FAULTS, type FaultName, FOR_PROGRAMMERS } from './support/faults';
import type { Serving } from './support/site';

// What the bugs compute: tests/cpp/mistakes; what the page is told of them: tests/web/contract/bug.test.ts. Here somebody spots
// two of them, one by mouse and one by keyboard.

const serving: Serving = {};
let stage: Stage;
beforeAll(async () => {
  stage = await openStage(serving);
});
afterAll(() => closeStage(stage));

const SEED = 7;
/** The problem of the lesson on the turn: dx[1,1] is 77, and 23 without it. */
const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const SIX = 'h=6&kh=3&x=random:3&weights=countdown:9&dy=random:4';

const spot = (page: Page) => page.locator('.spot');
const told = (page: Page) => page.locator('.spot__told');
const titles = async (page: Page) =>
  (await page.locator('.spot__name option').allTextContents()).filter((title) => !title.startsWith('Choose'));

/** Where the shelf of the seed has the bug of this title, counted from 0. */
async function letterOf(page: Page, title: string): Promise<number> {
  const all = await titles(page);
  const letter = all.findIndex((_, at) => all[placeOnShelf(SEED, at, all.length)] === title);
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

it('bugs are seen, measured, experimented with and named, by mouse and by keyboard; the score stays', async () => {
  const { page, troubles } = await openPage(stage, {}, `#${FOUR}`);
  await page.getByRole('button', { name: 'Start here' }).click();
  await page.getByRole('button', { name: 'Spot the bug' }).click();
  await page.locator('.spot__name').waitFor();
  await expect.poll(() => page.url()).toMatch(/lesson=bug-\d+-dx\.1/);

  // The forgotten turn.
  const turned = await letterOf(page, 'The weight of the opposite corner');
  await follow(page, FOUR, turned);
  const name = letterName(turned);
  const map = spot(page).getByRole('grid', { name: `dx as bug ${name} computes it` });
  await expect.poll(() => map.getByRole('gridcell').nth(5).textContent()).toBe('23');
  const off = spot(page).getByRole('grid', { name: `what bug ${name} is off by in dx` });
  expect(await off.getByRole('gridcell').nth(5).textContent()).toBe('−54');
  expect(await spot(page).textContent()).toContain('16 of 16 cells of dx are wrong');
  expect(await page.locator('.spot__check').textContent()).toContain(
    `fails in 16 of 16 cells.It moves each cell of x a little up and down and measures how the loss L = Σ y · dy changes, with y and dy as they are on the stage. Furthest off is dx[1,1]: measured 77, while bug ${name} says 23.`,
  );
  await spot(page).getByRole('radio', { name: 'y', exact: true }).check();
  await expect.poll(() => page.locator('.spot__check').textContent()).toContain('A bug in y it cannot see');
  await page.locator('.spot select').selectOption({ label: 'Averaged, not added' });
  await page.getByRole('button', { name: 'That is it' }).click();
  await expect.poll(() => told(page).textContent()).toMatch(/^No: /);
  await page.locator('.spot select').selectOption({ label: 'The weight of the opposite corner' });
  await page.getByRole('button', { name: 'That is it' }).click();
  await expect.poll(() => told(page).textContent()).toMatch(/^✓ Yes: The weight of the opposite corner\./);
  expect(await spot(page).textContent()).toMatch(/1 of \d+ found, 2 names given/);

  // What cures it is a lesson away, and the shelf a lesson's end.
  await page
    .locator('.spot__name')
    .getByRole('button', { name: /^Lesson: dx by gather/ })
    .click();
  await expect.poll(() => page.locator('.lesson__title').textContent()).toBe('Not turned and turned: one story');
  await page.getByRole('button', { name: 'Leave the lesson' }).click();
  await expect.poll(() => page.locator('.spot__name h3').textContent()).toBe(`Which bug is ${name}?`);

  // One that shows nothing until the problem is changed; the rest by keyboard.
  const dilation = await letterOf(page, 'Dilation forgotten');
  await follow(page, SIX, dilation);
  await expect.poll(() => spot(page).textContent()).toContain('Nothing is wrong here');
  expect(await spot(page).textContent()).toContain('The gradient check passes: all 36 cells of dx');
  const choose = async (first: string) => {
    await page.locator('.spot select').focus();
    await page.keyboard.press(first);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
  };
  await choose('C');
  await expect.poll(() => told(page).textContent()).toContain('here nobody can tell');
  await page.getByRole('checkbox', { name: 'dilation 2' }).focus();
  await page.keyboard.press('Space');
  await expect.poll(() => spot(page).textContent()).toContain('cells of dx are wrong');
  // What was said of another problem is not said of this one.
  expect(await told(page).textContent()).toBe('');
  await choose('D');
  await expect.poll(() => told(page).textContent()).toMatch(/^✓ Yes: Dilation forgotten\./);
  await page.locator('.spot__shelf input:checked').focus();
  await page.keyboard.press('ArrowRight');
  const next = letterName((dilation + 1) % (await titles(page)).length);
  await expect.poll(() => page.locator('.spot__name h3').textContent()).toBe(`Which bug is ${next}?`);

  // The address tells nobody which bug it is, and the score outlives the page.
  expect(page.url()).toMatch(/lesson=bug-7-dx\.\d+/);
  expect(page.url()).not.toMatch(/opposite|forgotten|averaged/);
  await page.reload();
  await expect.poll(() => spot(page).textContent()).toMatch(/2 of \d+ found/);
  await page.context().close();
  expect(troubles).toEqual([]);
}, 60_000);

// Behind the shelf, which tests/e2e/late-faults.test.ts harms.
it('the module of the bugs is missed with a sentence, and had by trying again, whatever was wrong with it', async () => {
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
    expect(words).toContain('could not be fetched: check the connection, then try again');
    expect(words).not.toMatch(FOR_PROGRAMMERS);
    if (next) harm(next);
    else serving.patch = undefined;
    const before = met;
    await notice.getByRole('button', { name: 'Try again' }).click();
    if (next) await expect.poll(() => met).toBeGreaterThan(before);
  }
  await page.locator('.spot__name').waitFor();
  await page.context().close();
}, 30_000);
