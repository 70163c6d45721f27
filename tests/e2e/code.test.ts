import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { cellAt } from './support/grids';
import { chooseFrom } from './support/modes';

// Code and LaTeX on the clipboard of a real browser, a saved file, and the tab LaTeX of the export. What the tab Code shows and
// copies in each language is in tests/web/page.

const stage = useStage();

const PROBLEM = '#h=6&kh=3&stride=2&padding=1,0,1,0&x=ramp&weights=countdown:9&dy=random:3';

it('copies and saves a check, copies a sum, the formulas and a matrix with its padding, without hidden values', async () => {
  const { page, troubles } = await openPage(
    stage,
    { permissions: ['clipboard-read', 'clipboard-write'] },
    `${PROBLEM}&side=code&cell=y.4`,
  );
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('radio', { name: 'NumPy' }).check({ force: true });
  await page.getByRole('button', { name: 'Copy check' }).click();
  await expect.poll(() => page.locator('.code [role=status]').textContent()).toBe('Check copied.');
  const check = await copied();
  expect(check).toContain('page_dx = np.array([');
  expect(check).toContain('check("db", page_db, db');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save check' }).click();
  expect((await saving).suggestedFilename()).toBe('conv2d_check_numpy.py');

  const y = Number(await cellAt(page, 'y', 1, 1).textContent());
  await page.getByRole('tab', { name: 'Explain' }).click();
  await page.getByRole('button', { name: 'Copy this sum as LaTeX' }).click();
  await page.getByText('LaTeX copied.').waitFor();
  expect(await copied()).toContain(`&= ${y}\n\\end{aligned}`);

  const matrix = page.getByRole('textbox', { name: 'LaTeX' });
  const openExport = async () => {
    await chooseFrom(page, 'Share', 'Export');
    await page.getByRole('tab', { name: 'LaTeX' }).click();
  };
  await openExport();
  expect(await matrix.inputValue()).toContain('x = \\left[\\begin{array}{c|cccccc}\n0 & 0 & 0');
  await page.getByRole('combobox', { name: 'content' }).selectOption('y');
  expect(await matrix.inputValue()).toContain(`& ${y} &`);
  await page.getByRole('combobox', { name: 'content' }).selectOption('letters');
  await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(copied).toContain('\\mathit{db}_k &= \\sum_{n,i,j}');

  await page.goto(`${stage.site.url}${PROBLEM}&cell=y.4&hidden=y.4`);
  await page.reload();
  await page.locator('main .panel--dx').waitFor();
  await openExport();
  await page.getByRole('combobox', { name: 'content' }).selectOption('y');
  expect(await matrix.inputValue()).toContain('& ? &');
  expect(await matrix.inputValue()).not.toContain(String(y));
  await page.context().close();
  expect(troubles).toEqual([]);
});
