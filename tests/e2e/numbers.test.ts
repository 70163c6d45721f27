import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFile } from '../../web/src/formats/formats';
import { sourceOf } from '../../web/src/formats/in-memory';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { readExact, readNumbers } from './support/grids';

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

it('compares a result with ours: where it is off, by how much, and which wrong model gives it', async () => {
  const { page, troubles } = await openPage(stage, {}, '#n=2&h=4&kh=3&x=ramp&weights=random:1&dy=ones');
  await expect.poll(async () => (await readNumbers(page, 'dw')).length).toBe(9);
  // Both images: x[n,i,j] = 16n + 4i + j, under each weight a window of 2 by 2.
  const ours = [0, 1, 2].flatMap((p) =>
    [0, 1, 2].map((q) => {
      const cells = [0, 1].flatMap((n) => [0, 1].flatMap((i) => [0, 1].map((j) => 16 * n + 4 * (p + i) + q + j)));
      return cells.reduce((sum, value) => sum + value, 0);
    }),
  );
  expect(await readExact(page, 'dw')).toEqual(ours);
  const compare = async (values: readonly number[]) => {
    await paste(page, `dw = np.array([${values}], dtype=float32)`);
    await dialog(page).getByRole('button', { name: 'Compare dw' }).click();
  };
  await compare(ours);
  await dialog(page).getByText('✓ All 9 numbers of dw are exactly ours.').waitFor();
  await page.keyboard.press('Escape');

  await compare(ours.map((value) => value / 2));
  await dialog(page).getByText('✗ 9 of 9 numbers of dw differ.').waitFor();
  await dialog(page)
    .getByText('usual mistakes give just these numbers for dw')
    .or(dialog(page).getByText('One usual mistake'))
    .first()
    .waitFor();
  await dialog(page).getByText('Divided by the batch.').waitFor();
  expect(await readExact(page, 'dw as you brought it')).toEqual(ours.map((value) => value / 2));
  expect(await readExact(page, 'by how much yours differs in dw')).toEqual(ours.map((value) => -value / 2));
  await page.keyboard.press('Escape');

  await compare(ours.map((value, cell) => (cell === 5 ? value + 3 : value)));
  await dialog(page).getByText('✗ 1 of 9 numbers of dw differs.').waitFor();
  await dialog(page).getByText('No usual mistake gives these numbers').waitFor();
  await dialog(page)
    .getByText(`Furthest off is dw[1,2]: yours ${(ours[5] ?? 0) + 3}, ours ${ours[5]}, off by 3.`)
    .waitFor();
  await dialog(page).getByRole('button', { name: 'Show dw[1,2] on the stage' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.locator('.explain__title').filter({ hasText: 'dw[1,2]' }).waitFor();

  // Of a whole problem what goes in is taken, and what comes out compared with what is then computed.
  await paste(page, 'x = [[1, 2], [3, 4]]\nw = [[1, 10], [100, 1000]]\ny = [[4321]]');
  await dialog(page).getByRole('button', { name: 'Take x, w, then compare y' }).click();
  await dialog(page).getByText('✓ The one number of y is exactly ours.').waitFor();
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('puts a table where one is, saves the problem as a case, and opens that as it was', async () => {
  const hash = '#n=1&h=4&kh=2&x=ramp&weights=random:1&bias=ones&dy=mse:0&mode=dw&cell=x.5';
  const { page, troubles } = await openPage(stage, {}, hash);
  await page.getByRole('tab', { name: 'Board' }).click();
  await expect.poll(async () => (await readNumbers(page, 'x')).length).toBe(16);
  await paste(page, '100\t101\n102\t103');
  await dialog(page).getByText('2 × 2 numbers go into x, from x[1,1] on').waitFor();
  await dialog(page).getByRole('button', { name: 'Put them there' }).click();
  const put = [0, 1, 2, 3, 4, 100, 101, 7, 8, 102, 103, 11, 12, 13, 14, 15];
  await expect.poll(() => readNumbers(page, 'x')).toEqual(put);
  // Four rows from the second one on are one more than there are.
  await paste(page, '1\n2\n3\n-4');
  await dialog(page).getByText('1 row of it would lie beyond the edge of x. What does not fit is left out.').waitFor();
  await dialog(page).getByLabel('Let x grow so that all fit').check();
  await dialog(page).getByRole('button', { name: 'Put them there' }).click();
  await expect.poll(async () => (await readNumbers(page, 'x')).slice(16)).toEqual([16, -4, 18, 19]);
  await page.keyboard.press('Control+Z');
  await expect.poll(() => readNumbers(page, 'x')).toEqual(put);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Copy or save numbers' }).click();
  await dialog(page).getByRole('button', { name: 'Save as case file' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('conv2d-1x4x4x1-2x2x1.json');
  const saved = readFileSync(await download.path());
  await dialog(page).getByText('conv2d-1x4x4x1-2x2x1.json was saved.').waitFor();
  const { x, w, b, y, dy, db, atol_each, padding } = JSON.parse(saved.toString());
  expect({ x, b, padding }).toEqual({ x: put, b: [1], padding: [0, 0, 0, 0] });
  const yAt = (at: number) => [0, 1, 4, 5].reduce((sum, tap, i) => sum + x[at + tap] * w[i], b[0]);
  expect(y).toEqual([0, 1, 2, 4, 5, 6, 8, 9, 10].map(yAt));
  for (const [i, value] of dy.entries()) expect(value).toBeCloseTo(y[i] / 9, 5);
  expect(Math.abs(db[0] - y.reduce((sum: number, value: number) => sum + value / 9, 0))).toBeLessThan(1e-3);
  // A share of the largest sum of products without signs, and of the bias.
  const sizes = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((at) =>
    [0, 1, 4, 5].reduce((sum, tap, i) => sum + Math.abs(x[at + tap] * w[i]), 1),
  );
  expect(atol_each.y / (4e-6 * Math.max(...sizes))).toBeCloseTo(1, 5);

  // Elsewhere it opens with its numbers, its loss and its look.
  const other = await openPage(stage);
  await other.page.getByLabel('file of numbers').setInputFiles({ name: 'a.json', mimeType: '', buffer: saved });
  await dialog(other.page).getByRole('button', { name: 'Open it as it was' }).click();
  await dialog(other.page).waitFor({ state: 'detached' });
  await expect.poll(() => readNumbers(other.page, 'x')).toEqual(put);
  await expect.poll(() => new URL(other.page.url()).hash).toBe(new URL(page.url()).hash);
  expect([...troubles, ...other.troubles]).toEqual([]);
  await page.context().close();
  await other.page.context().close();
});

it('hands out nothing of what is hidden, and compares nothing with it', async () => {
  const hash = '#h=3&kh=2&x=ramp&weights=countdown:4&dy=ones&hidden=y';
  const { page, troubles } = await openPage(stage, { permissions: ['clipboard-read', 'clipboard-write'] }, hash);
  await expect.poll(() => readNumbers(page, 'dw')).toHaveLength(4);
  // y[0,0] = 0*4 + 1*3 + 3*2 + 4*1, and so on.
  const hidden = /\b(13|23|43|53)\b/;
  await page.getByRole('button', { name: 'Copy or save numbers' }).click();
  for (const style of ['tabs', 'commas', 'numpy', 'pytorch', 'json']) {
    await dialog(page).getByRole('combobox', { name: 'copied as' }).selectOption(style);
    await dialog(page).getByRole('button', { name: 'Copy y' }).click();
    await dialog(page).getByText('y was copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).not.toMatch(hidden);
    expect(copied.match(/nan/gi)?.length).toBe(4);
  }
  await dialog(page).getByRole('button', { name: 'Save as case file' }).click();
  await dialog(page).getByText('It was not saved: this is not told while numbers are hidden').waitFor();
  const saving = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: 'Save all as .npz' }).click();
  const saved = await openFile(sourceOf('all.npz', readFileSync(await (await saving).path())));
  if ('refusal' in saved) throw new Error(saved.refusal.reason);
  const y = await saved.tensors.find(({ name }) => name === 'y')?.read();
  expect(y && 'values' in y && [...y.values]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  await page.keyboard.press('Escape');
  await paste(page, 'y = [13, 23, 43, 53]');
  await dialog(page).getByRole('button', { name: 'Compare y' }).click();
  await dialog(page).getByText('this is not told while numbers are hidden').waitFor();
  expect(await dialog(page).textContent()).not.toMatch(/agree|exactly ours/);
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
  // What opens them is there, but not the worker that reads.
  await page.unroute(/open-numbers|WriteSheet/);
  await page.route(/read-worker/, (route) => route.abort());
  await page.reload();
  await expect.poll(async () => (await readNumbers(page, 'y')).length).toBe(16);
  await paste(page, '1\t2');
  await dialog(page).getByText('what reads numbers could not be fetched: check the connection').waitFor();
  await page.context().close();
});
