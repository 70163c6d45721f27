import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { cellAt, grid, readNumbers } from './support/grids';
import { openMode } from './support/modes';

// Links in which a teacher locks and hides parts, and what a student can do in them.

const stage = useStage();

/** In its folded group; the first with such a part. */
async function choose(page: Page, part: string, state: string, title = ''): Promise<void> {
  const groups = page
    .getByRole('dialog')
    .locator('details')
    .filter({ hasText: new RegExp(`^${title}`) });
  const group = groups.filter({ has: page.getByLabel(part, { exact: true }) }).first();
  const menu = group.getByLabel(part, { exact: true });
  if (!(await menu.isVisible())) await group.locator('summary').click();
  await menu.selectOption({ label: state });
}

it('a link can be prepared, tried in a new tab, and copied', async () => {
  const { page, troubles } = await openPage(
    stage,
    { permissions: ['clipboard-read', 'clipboard-write'] },
    '#h=5&kh=3&x=ramp&weights=ones&cell=y.4',
  );
  await page.getByRole('button', { name: 'Start here' }).click();
  await page.getByRole('button', { name: 'For teachers: prepare a link for class' }).click();
  const sheet = page.getByRole('dialog', { name: 'Prepare a link for class' });
  await sheet.getByRole('button', { name: /^Guided/ }).click();
  for (const view of ['Gradient check', 'Learn']) await choose(page, view, 'normal');
  await choose(page, 'stride', 'normal');
  await choose(page, 'dilation', 'hidden');
  await choose(page, 'Learn', 'hidden');
  await choose(page, 'Sizes and coverage', 'locked');
  await choose(page, 'y', 'shown as ?', 'Values');
  await choose(page, 'w', 'locked');
  await choose(page, 'revealing values', 'locked');
  await choose(page, 'Examples', 'hidden');
  await choose(page, 'Undo', 'locked');
  await sheet.getByText(/The link has \d+ characters\./).waitFor();
  const [student] = await Promise.all([
    page.context().waitForEvent('page'),
    sheet.getByRole('link', { name: 'Preview as a student' }).click(),
  ]);
  await sheet.getByRole('button', { name: 'Copy link' }).click();
  await sheet.getByText('Link copied.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    'mode.matrix,dilation,mode.learn,examples&locked=',
  );
  // The page of the teacher is unchanged.
  expect(page.url()).not.toMatch(/locked|hidden/);
  expect(await readNumbers(page, 'y')).toHaveLength(9);
  await page.keyboard.press('Escape');

  await grid(student, 'y').waitFor();
  await student.getByRole('spinbutton', { name: 'stride' }).waitFor();
  await expect.poll(() => cellAt(student, 'y', 0, 0).textContent()).toBe('?');
  expect(await student.getByRole('spinbutton', { name: 'dilation' }).count()).toBe(0);
  expect(await student.getByRole('button', { name: 'Examples' }).count()).toBe(0);
  await openMode(student, 'Gradient check');
  expect(await student.getByRole('tab', { name: 'Learn' }).count()).toBe(0);
  await student.getByRole('tab', { name: 'Overview' }).click();
  await student.keyboard.press('x');
  expect(await student.getByRole('dialog').count()).toBe(0);
  await page.context().close();
  expect(troubles).toEqual([]);
});

describe('a student', () => {
  const LOCKS =
    'h=5&kh=3&x=ramp&weights=ones&cell=y.4&hidden=y,mode.learn,side.algorithms&locked=padding,height,w,mode.dx,hide,undo';

  it('gets the reason of a lock by keyboard and as text, and can change the rest', async () => {
    const { page, troubles } = await openPage(stage, {}, `#${LOCKS}`);
    await page.getByRole('spinbutton', { name: 'stride' }).waitFor();
    // The lock is focusable and has the reason as its text; the locked fields are readable but not focusable.
    const lock = page.getByRole('button', { name: 'the height: locked' });
    await lock.focus();
    await page.locator('.held__why').filter({ hasText: 'Locked by this link.', visible: true }).waitFor();
    expect(
      await lock.evaluate(
        (element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
      ),
    ).toBe('Locked by this link.');
    const height = page.getByRole('spinbutton', { name: 'height', exact: true });
    expect([await height.isDisabled(), await height.inputValue()]).toEqual([true, '5']);
    expect(await page.getByRole('radio', { name: 'same' }).isDisabled()).toBe(true);
    // Arrows open the free view of a group that has a locked one.
    const board = page.getByRole('tab', { name: 'Overview' });
    await board.focus();
    for (let n = 0; n < 3; n += 1) await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'dw & db', selected: true }).waitFor();
    // A locked mode is reached by arrows and does not open; the next one does.
    await page.getByRole('tab', { name: 'dw & db' }).focus();
    await page.keyboard.press('ArrowLeft');
    const dx = page.getByRole('tab', { name: 'dx', exact: true });
    expect(await dx.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await dx.getAttribute('aria-disabled')).toBe('true');
    expect(await dx.getAttribute('title')).toBe('Locked by this link');
    expect(await dx.getAttribute('aria-selected')).toBe('false');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'dw & db', selected: true }).waitFor();
    await board.click();
    // The cells of w are read-only, those of x can be changed.
    await cellAt(page, 'w', 0, 0).click();
    await page.keyboard.press('7');
    await page.keyboard.press('Enter');
    expect(await readNumbers(page, 'w')).toEqual(Array.from({ length: 9 }, () => 1));
    await page.locator('.panel__note').filter({ hasText: 'Locked by this link.' }).waitFor();
    await cellAt(page, 'x', 0, 0).click();
    await page.keyboard.press('7');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await readNumbers(page, 'x'))[0]).toBe(7);
    const undo = page.getByRole('button', { name: 'Undo (locked by this link)' });
    expect(await undo.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Control+z');
    expect((await readNumbers(page, 'x'))[0]).toBe(7);
    // A hidden value stays hidden, for buttons and keys.
    await cellAt(page, 'y', 1, 1).click();
    const reveal = page.getByRole('button', { name: 'Reveal y[1,1] (locked by this link)' });
    await reveal.waitFor();
    await reveal.click({ force: true });
    await page.keyboard.press('h');
    expect(await cellAt(page, 'y', 1, 1).textContent()).toBe('?');
    await cellAt(page, 'w', 0, 0).click();
    await page.locator('.explain__note').filter({ hasText: 'Locked by this link.' }).waitFor();
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('stays on the prepared page after an example and in a lesson, and sees no hidden controls', async () => {
    const { page, troubles } = await openPage(stage, {}, '#h=5&kh=3&hidden=controls,mode.learn&locked=stride');
    await grid(page, 'dx').waitFor();
    await page.getByRole('tab', { name: 'Lessons' }).waitFor();
    expect(await page.getByRole('region', { name: 'Controls' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.getByRole('button', { name: 'Checkerboard' }).click();
    await expect.poll(() => page.url()).toMatch(/hidden=mode.learn,controls|hidden=controls,mode.learn/);
    await page.getByRole('tab', { name: 'Lessons' }).click();
    await page.getByRole('button', { name: /^Start: / }).click();
    await expect.poll(() => page.url()).toMatch(/lesson=.*hidden=.*controls.*&locked=stride/);
    // A lesson has its own few parts; all others are those of the prepared page.
    await page.getByText('I teach').click();
    await page.getByRole('button', { name: 'All controls' }).click();
    expect(await page.getByRole('region', { name: 'Controls' }).count()).toBe(0);
    await openMode(page, 'Gradient check');
    expect(await page.getByRole('tab', { name: 'Learn' }).count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator('.dock > button').waitFor();
    expect(await page.getByRole('button', { name: 'Controls', exact: true }).count()).toBe(0);
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

describe('the questions of a teacher', () => {
  const exercise = (page: Page) => page.getByRole('region', { name: 'Exercises: Questions' });
  const answer = async (page: Page, text: string) => {
    const box = exercise(page).getByRole('textbox', { name: /=$/ });
    await box.fill(text);
    await box.press('Enter');
  };

  it('go to students by link, come back by link, and are marked in a table', async () => {
    const { page, troubles } = await openPage(
      stage,
      { permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true },
      '#h=4&w=4&kh=2&kw=2&x=ramp&weights=ones&dy=ones&cell=dx.5&side=lesson',
    );
    await page.getByRole('button', { name: 'For teachers: prepare a link for class' }).click();
    const sheet = page.getByRole('dialog', { name: 'Prepare a link for class' });
    // The current cell is suggested.
    expect(await sheet.getByLabel('Cell', { exact: true }).inputValue()).toBe('dx[1,1]');
    await sheet.getByRole('button', { name: 'Add question' }).click();
    await sheet.getByLabel('dx[1,1]', { exact: true }).fill('Find dx[1,1], <b>exactly</b> & ~now');
    await sheet.getByLabel('Cell', { exact: true }).fill('y[9,9]');
    await sheet.getByRole('button', { name: 'Add question' }).click();
    await sheet.getByText('This problem has no cell “y[9,9]”.').waitFor();
    await sheet.getByLabel('Cell', { exact: true }).fill('y[0,1]');
    await sheet.getByRole('button', { name: 'Add question' }).click();
    await sheet.getByText(/The link has \d+ characters\./).waitFor();
    await sheet.getByRole('button', { name: 'Copy link' }).click();
    await sheet.getByText('Link copied.').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press('Escape');

    const student = await openPage(stage, { permissions: ['clipboard-read', 'clipboard-write'] }, new URL(link).hash);
    const theirs = student.page;
    // The sentence is text, the value is hidden, and the problem is locked.
    await exercise(theirs).getByRole('heading', { name: 'Find dx[1,1], <b>exactly</b> & ~now' }).waitFor();
    await expect.poll(() => cellAt(theirs, 'dx', 1, 1).textContent()).toBe('?');
    expect(await theirs.getByRole('spinbutton', { name: 'stride' }).isDisabled()).toBe(true);
    await exercise(theirs).getByRole('textbox', { name: 'Your name (optional)' }).fill('=Ada‮ "A" Łoś');
    await theirs.keyboard.press('Tab');
    // Without flipping nothing changes here; one term is a common mistake.
    await answer(theirs, '1');
    await exercise(theirs).getByText('dx[1,1] is not 1').waitFor();
    await answer(theirs, '4');
    await exercise(theirs).getByText('is correct').waitFor();
    await exercise(theirs).getByRole('button', { name: 'Next question' }).click();
    await exercise(theirs).getByRole('heading', { name: 'What is y[0,1]?' }).waitFor();
    await answer(theirs, '1000');
    await exercise(theirs).getByText('y[0,1] is not 1000').waitFor();
    await exercise(theirs).getByRole('button', { name: 'Show result' }).click();
    await exercise(theirs).getByText('1 of 2 right.').waitFor();
    await exercise(theirs).getByText('=Ada "A" Łoś').waitFor();
    await exercise(theirs).getByRole('button', { name: 'Copy link' }).click();
    await theirs.getByText('Link copied').waitFor();
    const handedIn = await theirs.evaluate(() => navigator.clipboard.readText());
    // The link stays about its problem, and its questions are in the list of exercises.
    await exercise(theirs).getByRole('button', { name: 'Leave exercises' }).click();
    expect(await theirs.getByRole('spinbutton', { name: 'stride' }).isDisabled()).toBe(true);
    expect(await theirs.getByRole('button', { name: 'Examples (locked by this link)' }).count()).toBe(1);
    await theirs.getByRole('button', { name: /^Questions / }).click();
    await exercise(theirs).getByText('1 of 2 right.').waitFor();
    expect(student.troubles).toEqual([]);
    await theirs.context().close();

    await page.getByRole('button', { name: 'For teachers: homework and marks' }).click();
    const homework = page.getByRole('dialog', { name: 'Homework' });
    const edited = handedIn.replace(/answers=1000/, 'answers=1').replace(/answers=4m1/, 'answers=4');
    expect(edited).not.toBe(handedIn);
    await homework.getByRole('textbox').fill(`name;link\nAda;"${handedIn}";1\n${edited}\nhttps://example.org/#h=5\n`);
    await homework.getByRole('button', { name: 'Mark answers' }).click();
    const rows = homework.getByRole('region', { name: 'Marks' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(5);
    const texts = await rows.allTextContents();
    expect(texts[0]).toContain('Line 1: No link');
    expect(texts[1]).toMatch(
      /=Ada "A" Łoś.*Questions [0-9a-f]{4}.*12wrong attempts: 2unchanged✓ 4✗ 1000 \(right: 14\)$/,
    );
    expect(texts[2]).toMatch(/not counted.*unknown.*edited by hand/);
    expect(texts[2]).not.toContain('✓');
    expect(texts[3]).toContain('Line 4: The link has no exercise.');
    expect(texts[4]).toMatch(/^mean of 1Questions [0-9a-f]{4}1\.02most often wrong: 2100 %0 %$/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      homework.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const csv = readFileSync(await download.path(), 'utf8');
    expect(csv).toContain(`"'=Ada ""A"" Łoś"`);
    expect(csv.split('\r\n')).toHaveLength(7);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it('a link with hidden values opens at the answer box', async () => {
    const { page, troubles } = await openPage(stage, {}, '#h=4&w=4&kh=2&kw=2&x=ramp&weights=ones&side=lesson');
    await page.getByRole('button', { name: 'For teachers: prepare a link for class' }).click();
    await choose(page, 'dx', 'shown as ?', 'Values');
    const [student] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('dialog').getByRole('link', { name: 'Preview as a student' }).click(),
    ]);
    await student.getByRole('textbox', { name: 'dx[0,0] =' }).waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
  });
});

it('each student can have other numbers, which follow from the name', async () => {
  const { page, troubles } = await openPage(stage, {}, '#side=lesson&lesson=forward-sums.1&seed=7.each');
  const exercise = page.getByRole('region', { name: 'Exercises: Forward sums' });
  await exercise.getByRole('heading', { name: 'Your name' }).waitFor();
  expect(await exercise.getByRole('textbox').count()).toBe(1);
  await exercise.getByRole('textbox', { name: 'Your name' }).fill('Ada');
  await exercise.getByRole('button', { name: 'Start' }).click();
  await exercise.getByRole('textbox', { name: /=$/ }).waitFor();
  await expect.poll(() => page.url()).toMatch(/name=Ada&seed=7\.each&digest=[0-9a-f]{16}/);
  const numbers = () =>
    page
      .url()
      .replace(/&name=.*/, '')
      .replace(/.*#/, '');
  const ada = numbers();
  await page.goto('about:blank');
  await page.goto(`${stage.site.url}#side=lesson&lesson=forward-sums.1&seed=7.each`);
  await exercise.getByRole('textbox', { name: 'Your name' }).fill('Bo');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(/name=Bo&seed=7/);
  expect(numbers()).not.toBe(ada);
  expect(troubles).toEqual([]);
  await page.context().close();
});
