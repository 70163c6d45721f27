import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { readNumbers } from './support/grids';

// One's own numbers: opened, dropped, pasted, asked about, taken or refused; and taken along.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => closeStage(stage));

const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

const dialog = (page: Page) => page.getByRole('dialog');
const take = (page: Page) => dialog(page).getByRole('button', { name: 'Take these numbers' }).click();

it('opens files and pasted text, asks what they are, takes them in one step, and refuses with the place', async () => {
  const { page, troubles } = await openPage(stage, { permissions: ['clipboard-read', 'clipboard-write'] });
  await expect.poll(async () => (await readNumbers(page, 'y')).length).toBe(16);
  const before = await readNumbers(page, 'y');

  // Two tensors by name, their sizes with them: x 3 by 3 times w 2 by 2.
  await paste(
    page,
    'x = tensor([[1., 2., 3.],\n            [4., 5., 6.],\n            [7., 8., 9.]])\nw = [[1, 0], [0, -1]]',
  );
  await dialog(page).getByText('Sizes that change: height 7 → 3, width 7 → 3, kernel height 3 → 2').waitFor();
  await dialog(page).getByText('It begins 1, 2, 3, 4, 5, 6 …').waitFor();
  await take(page);
  await dialog(page).waitFor({ state: 'detached' });
  // Stride 2, padding 1: windows begin at -1 and 1. Each is its first cell less its last.
  await expect.poll(() => readNumbers(page, 'y')).toEqual([-1, -3, -7, 5 - 9]);
  await page.keyboard.press('Control+Z');
  await expect.poll(() => readNumbers(page, 'y')).toEqual(before);

  // A wrong file is refused with its line, and nothing is lost.
  const file = page.getByLabel('file of numbers');
  const csv = (text: string) => ({ name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await file.setInputFiles(csv('1,2\n3,four'));
  await dialog(page).getByRole('alert').filter({ hasText: 'line 2, column 3: “four” is no number.' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await readNumbers(page, 'y')).toEqual(before);

  // NumPy's file of float64 by name, in NumPy's Fortran order for dy; what is rounded is said.
  const made = new URL('../web/formats/made/deflated.npz', import.meta.url);
  await file.setInputFiles({ name: 'deflated.npz', mimeType: '', buffer: readFileSync(made) });
  await dialog(page).getByText('of 54 are rounded to float32').waitFor();
  const readAs = dialog(page).getByLabel('read as');
  expect(await readAs.first().locator('option:checked').textContent()).toBe(
    'NHWC: 1 image, 4 rows, 4 columns, 2 channels',
  );
  await page.keyboard.press('Escape');

  // A dropped table is a table, not a broken picture.
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['1\t2\n3\t4\n'], 'cells.tsv', { type: 'text/tab-separated-values' }));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await dialog(page).getByText('It begins 1, 2, 3, 4.').waitFor();
  await page.keyboard.press('Escape');

  // What is copied is what is there, and can be pasted again.
  await page.getByRole('button', { name: 'Copy or save numbers' }).click();
  await dialog(page).getByRole('combobox', { name: 'copied as' }).selectOption('numpy');
  await dialog(page).getByRole('button', { name: 'Copy y' }).click();
  await dialog(page).getByText('y was copied: NumPy.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^y = np\.array\(\[\[\[\[/);
  expect([...copied.matchAll(/-?\d+(?=[,\]])/g)].map(Number)).toEqual(before);
  // A spreadsheet gets rows and columns as they are seen, not a channel a column.
  await dialog(page).getByRole('combobox', { name: 'copied as' }).selectOption('tabs');
  await dialog(page).getByRole('button', { name: 'Copy y' }).click();
  await dialog(page).getByText('y was copied: Cells for a spreadsheet.').waitFor();
  const cells = await page.evaluate(() => navigator.clipboard.readText());
  expect(cells.split('\n').map((row) => row.split('\t').map(Number))).toEqual(
    [0, 4, 8, 12].map((from) => before.slice(from, from + 4)),
  );
  const saving = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: 'Save all as .npz' }).click();
  expect((await saving).suggestedFilename()).toBe('conv2d.npz');
  await page.keyboard.press('Escape');
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('says where what opens or writes numbers could not be fetched', async () => {
  const { page } = await openPage(stage);
  await page.route(/open-numbers|WriteSheet/, (route) => route.abort());
  const alert = page.getByRole('alert');
  await page.getByRole('button', { name: 'Copy or save numbers' }).click();
  await alert.filter({ hasText: 'what writes numbers could not be fetched: check the connection' }).waitFor();
  await paste(page, '1\t2');
  await alert.filter({ hasText: 'what opens numbers could not be fetched: check the connection' }).waitFor();
  await page.context().close();
});
