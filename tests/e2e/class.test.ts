import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { cellAt, grid, readNumbers } from './support/grids';
import { openMode } from './support/modes';

// Links in which a teacher locks and hides parts, and what a student can do in them.

const stage = useStage();

const choose = (page: Page, part: string, state: string) =>
  page.getByRole('dialog').getByLabel(part, { exact: true }).selectOption({ label: state });

it('a link can be prepared, tried in a new tab, and copied', async () => {
  const { page, troubles } = await openPage(
    stage,
    { permissions: ['clipboard-read', 'clipboard-write'] },
    '#h=5&kh=3&x=ramp&weights=ones&cell=y.4',
  );
  await page.getByRole('button', { name: 'Start here' }).click();
  await page.getByRole('button', { name: 'For teachers: prepare a link for class' }).click();
  const sheet = page.getByRole('dialog', { name: 'Prepare a link for class' });
  await sheet.getByRole('button', { name: 'Lock all sizes' }).click();
  await choose(page, 'stride', 'normal');
  await choose(page, 'dilation', 'hidden');
  await choose(page, 'Learn', 'hidden');
  await choose(page, 'Sizes and coverage', 'locked');
  await choose(page, 'y', 'shown as ?');
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
    'hidden=y,dilation,mode.learn,examples&locked=',
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
    for (let n = 0; n < 2; n += 1) await page.keyboard.press('ArrowRight');
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
    await page.getByRole('button', { name: 'All controls' }).click();
    expect(await page.getByRole('region', { name: 'Controls' }).count()).toBe(0);
    await openMode(page, 'Gradient check');
    expect(await page.getByRole('tab', { name: 'Learn' }).count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator('.strip__tensor').nth(2).waitFor();
    expect(await page.getByRole('tab', { name: 'Controls' }).count()).toBe(0);
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});
