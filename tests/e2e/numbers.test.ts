import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openFile } from '../../web/src/formats/formats';
import { sourceOf } from '../web/formats/source';
import { openPage, useStage } from './support/browser';
import { dropFiles, pasteText } from './support/drop-and-paste';
import { readExact, readNumbers } from './support/grids';

// Import of arrays from files and texts, the check of results, and export.

const stage = useStage();

const dialog = (page: Page) => page.getByRole('dialog');
const confirmImport = (page: Page) => dialog(page).getByRole('button', { name: 'Import x, w', exact: true }).click();

it('imports files and pasted text in one undoable step, and refuses bad files with the position', async () => {
  const { page, troubles } = await openPage(stage, { permissions: ['clipboard-read', 'clipboard-write'] });
  await expect.poll(async () => (await readNumbers(page, 'y')).length).toBe(16);
  const before = await readNumbers(page, 'y');

  // Two named tensors set the sizes: x is 3 x 3, w is 2 x 2.
  await pasteText(
    page,
    'x = tensor([[1., 2., 3.],\n            [4., 5., 6.],\n            [7., 8., 9.]])\nw = [[1, 0], [0, -1]]',
  );
  await dialog(page).getByText('Sizes that change: height 7 → 3, width 7 → 3, kernel height 3 → 2').waitFor();
  await dialog(page).getByText('First values: 1, 2, 3, 4, 5, 6 …').waitFor();
  await confirmImport(page);
  await dialog(page).waitFor({ state: 'detached' });
  // Stride 2, padding 1: windows begin at -1 and 1. Each y is the first cell of its window minus the last.
  await expect.poll(() => readNumbers(page, 'y')).toEqual([-1, -3, -7, 5 - 9]);
  await page.keyboard.press('Control+Z');
  await expect.poll(() => readNumbers(page, 'y')).toEqual(before);

  // An invalid file is refused with its line, and nothing changes.
  const file = page.getByLabel('array file');
  const csv = (text: string) => ({ name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await file.setInputFiles(csv('1,2\n3,four'));
  await dialog(page).getByRole('alert').filter({ hasText: 'line 2, column 3: “four” is not a number.' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await readNumbers(page, 'y')).toEqual(before);

  // A float64 .npz file, with dy in Fortran order: the dialog reports rounding.
  const made = new URL('../web/formats/made/deflated.npz', import.meta.url);
  await file.setInputFiles({ name: 'deflated.npz', mimeType: '', buffer: readFileSync(made) });
  await dialog(page).getByText('54 of 54 were rounded to float32.').waitFor();
  const readAs = dialog(page).getByLabel('read as');
  expect(await readAs.first().locator('option:checked').textContent()).toBe(
    'NHWC: 1 image, 4 rows, 4 columns, 2 channels (fits)',
  );
  await page.keyboard.press('Escape');

  // A dropped table is imported as a table, not as an image.
  await dropFiles(page, [{ name: 'cells.tsv', bytes: Buffer.from('1\t2\n3\t4\n') }]);
  await dialog(page).getByText('First values: 1, 2, 3, 4.').waitFor();
  await page.keyboard.press('Escape');

  // The copied text has the values of the page.
  await page.getByRole('button', { name: 'Copy or save arrays' }).click();
  await dialog(page).getByRole('combobox', { name: 'format' }).selectOption('numpy');
  await dialog(page).getByRole('button', { name: 'Copy y' }).click();
  await dialog(page).getByText('y copied: NumPy.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^y = np\.array\(\[\[\[\[/);
  expect([...copied.matchAll(/-?\d+(?=[,\]])/g)].map(Number)).toEqual(before);
  // A spreadsheet gets the rows and columns of the page, not one column per channel.
  await dialog(page).getByRole('combobox', { name: 'format' }).selectOption('tabs');
  await dialog(page).getByRole('button', { name: 'Copy y' }).click();
  await dialog(page).getByText('y copied: Cells for a spreadsheet.').waitFor();
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

it.each(['npz', 'safetensors'])('saves all layers of a network as .%s, and opens them again', async (ending) => {
  const { page, troubles } = await openPage(
    stage,
    {},
    '#h=5&kh=1&layer.2=relu&layer.3=conv;kh:3;kw:3;weights:random:3&x=ramp&weights=ones&dy=ones',
  );
  const save = page.getByRole('button', { name: 'Copy or save arrays' });
  await save.click();
  await dialog(page).getByText('The list has the tensors of layer 1, which is open.').waitFor();
  const saving = page.waitForEvent('download');
  await dialog(page)
    .getByRole('button', { name: `Save all as .${ending}` })
    .click();
  const file = readFileSync(await (await saving).path());
  await page.keyboard.press('Escape');
  const saved = await openFile(sourceOf(`conv2d.${ending}`, file));
  if ('refusal' in saved) throw new Error(saved.refusal.reason);
  const names = saved.tensors.map(({ name }) => name);
  for (const name of ['layer1.x', 'layer1.dw', 'layer2.y', 'layer2.dx', 'layer3.w', 'layer3.dy', 'layer3.db'])
    expect(names).toContain(name);
  // y of layer 1 copies x; the ReLU, too.
  const y = await saved.tensors.find(({ name }) => name === 'layer2.y')?.read();
  expect(y && 'values' in y && [...y.values]).toEqual(Array.from({ length: 25 }, (_, i) => i));

  await page.goto(`${stage.site.url}#h=7&kh=3`);
  await expect.poll(async () => (await readNumbers(page, 'x')).length).toBe(49);
  await page.getByLabel('array file').setInputFiles({ name: `conv2d.${ending}`, mimeType: '', buffer: file });
  await dialog(page).getByRole('button', { name: 'Open as saved' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await expect.poll(async () => (await readNumbers(page, 'x')).length).toBe(25);
  await expect.poll(() => page.url()).toContain('layer.2=relu');
  expect(page.url()).toContain('weights:random:3');
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('checks a pasted result with the inputs of the page, and shows it cell by cell', async () => {
  const { page, troubles } = await openPage(stage, {}, '#n=2&h=4&kh=3&x=ramp&weights=random:1&dy=ones');
  await expect.poll(async () => (await readNumbers(page, 'dw')).length).toBe(9);
  // x[n,i,j] = 16n + 4i + j; each weight multiplies 2 x 2 cells of both images.
  const ours = [0, 1, 2].flatMap((p) =>
    [0, 1, 2].map((q) => {
      const cells = [0, 1].flatMap((n) => [0, 1].flatMap((i) => [0, 1].map((j) => 16 * n + 4 * (p + i) + q + j)));
      return cells.reduce((sum, value) => sum + value, 0);
    }),
  );
  expect(await readExact(page, 'dw')).toEqual(ours);
  const paste = (values: readonly number[]) => {
    const rows = [0, 3, 6].map((from) => `[${values.slice(from, from + 3)}]`);
    return pasteText(page, `dw = np.array([${rows}], dtype=float32)`);
  };
  await paste(ours);
  await dialog(page).getByText('The result is right.').waitFor();
  await dialog(page).getByText('This is with operands of this page.').waitFor();
  await page.keyboard.press('Escape');

  await paste(ours.map((value) => value / 2));
  await dialog(page).getByText('1 of 1 result is wrong.').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const report = () => page.evaluate(() => navigator.clipboard.readText());
  await dialog(page).getByRole('button', { name: 'Copy report' }).click();
  await expect.poll(report).toContain('1 of 1 result is wrong.');
  await dialog(page).getByRole('button', { name: 'Compare cell by cell' }).click();
  await expect.poll(() => readExact(page, 'dw, imported')).toEqual(ours.map((value) => value / 2));
  expect(await readExact(page, 'dw, difference')).toEqual(ours.map((value) => -value / 2));
  await dialog(page).getByRole('button', { name: 'Copy report with a script' }).click();
  await expect.poll(report).toContain('```python');
  await page.keyboard.press('Escape');

  await paste(ours.map((value, cell) => (cell === 5 ? value + 3 : value)));
  await dialog(page).getByRole('button', { name: 'Compare cell by cell' }).click();
  await dialog(page)
    .getByText(`Largest difference at dw[1,2]: yours ${(ours[5] ?? 0) + 3}, ours ${ours[5]}, difference 3.`)
    .waitFor();
  await dialog(page).getByRole('button', { name: 'Show dw[1,2]' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.locator('.explain__title').filter({ hasText: 'dw[1,2]' }).waitFor();

  // A whole problem is checked by itself, and opened on request.
  await pasteText(page, 'x = [[1, 2], [3, 4]]\nw = [[1, 10], [100, 1000]]\ny = [[4321]]');
  await dialog(page).getByText('The result is right.').waitFor();
  await dialog(page).getByRole('button', { name: 'Open on the page' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await expect.poll(() => readNumbers(page, 'y')).toEqual([4321]);
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('pastes a table at the pinned cell, saves a case file, and restores it', async () => {
  const hash = '#n=1&h=4&kh=2&x=ramp&weights=random:1&bias=ones&dy=mse:0&mode=dw&cell=x.5';
  const { page, troubles } = await openPage(stage, {}, hash);
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect.poll(async () => (await readNumbers(page, 'x')).length).toBe(16);
  await pasteText(page, '100\t101\n102\t103');
  await dialog(page).getByText('2 × 2 values go into x, starting at x[1,1]').waitFor();
  await dialog(page).getByRole('button', { name: 'Paste' }).click();
  const put = [0, 1, 2, 3, 4, 100, 101, 7, 8, 102, 103, 11, 12, 13, 14, 15];
  await expect.poll(() => readNumbers(page, 'x')).toEqual(put);
  // Four rows, starting at the second of four, are one too many.
  await pasteText(page, '1\n2\n3\n-4');
  await dialog(page).getByText('Too large for x by 1 row. What does not fit is left out.').waitFor();
  await dialog(page).getByLabel('Enlarge x to fit').check();
  await dialog(page).getByRole('button', { name: 'Paste' }).click();
  await expect.poll(async () => (await readNumbers(page, 'x')).slice(16)).toEqual([16, -4, 18, 19]);
  await page.keyboard.press('Control+Z');
  await expect.poll(() => readNumbers(page, 'x')).toEqual(put);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Copy or save arrays' }).click();
  await dialog(page).getByRole('button', { name: 'Save as case file' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('conv2d-1x4x4x1-2x2x1.json');
  const saved = readFileSync(await download.path());
  await dialog(page).getByText('Saved conv2d-1x4x4x1-2x2x1.json.').waitFor();
  const { x, w, b, y, dy, db, atol_each, padding } = JSON.parse(saved.toString());
  expect({ x, b, padding }).toEqual({ x: put, b: [1], padding: [0, 0, 0, 0] });
  const yAt = (at: number) => [0, 1, 4, 5].reduce((sum, tap, i) => sum + x[at + tap] * w[i], b[0]);
  expect(y).toEqual([0, 1, 2, 4, 5, 6, 8, 9, 10].map(yAt));
  for (const [i, value] of dy.entries()) expect(value).toBeCloseTo(y[i] / 9, 5);
  expect(Math.abs(db[0] - y.reduce((sum: number, value: number) => sum + value / 9, 0))).toBeLessThan(1e-3);
  // A fraction of the largest sum of absolute products and bias.
  const sizes = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((at) =>
    [0, 1, 4, 5].reduce((sum, tap, i) => sum + Math.abs(x[at + tap] * w[i]), 1),
  );
  expect(atol_each.y / (4e-6 * Math.max(...sizes))).toBeCloseTo(1, 5);

  // Another page opens it with the same values, loss and view.
  const other = await openPage(stage);
  await other.page.getByLabel('array file').setInputFiles({ name: 'a.json', mimeType: '', buffer: saved });
  await dialog(other.page).getByRole('button', { name: 'Open as saved' }).click();
  await dialog(other.page).waitFor({ state: 'detached' });
  await expect.poll(() => readNumbers(other.page, 'x')).toEqual(put);
  await expect.poll(() => new URL(other.page.url()).hash).toBe(new URL(page.url()).hash);
  expect([...troubles, ...other.troubles]).toEqual([]);
  await page.context().close();
  await other.page.context().close();
});

it('neither exports nor compares hidden values', async () => {
  const hash = '#h=3&kh=2&x=ramp&weights=countdown:4&dy=ones&hidden=y';
  const { page, troubles } = await openPage(stage, { permissions: ['clipboard-read', 'clipboard-write'] }, hash);
  await expect.poll(() => readNumbers(page, 'dw')).toHaveLength(4);
  // y[0,0] = 0*4 + 1*3 + 3*2 + 4*1, and so on.
  const hidden = /\b(13|23|43|53)\b/;
  await page.getByRole('button', { name: 'Copy or save arrays' }).click();
  for (const style of ['tabs', 'commas', 'numpy', 'pytorch', 'json']) {
    await dialog(page).getByRole('combobox', { name: 'format' }).selectOption(style);
    await dialog(page).getByRole('button', { name: 'Copy y' }).click();
    await dialog(page).getByText('y copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).not.toMatch(hidden);
    expect(copied.match(/nan/gi)?.length).toBe(4);
  }
  await dialog(page).getByRole('button', { name: 'Save as case file' }).click();
  await dialog(page).getByText('Not saved: ').waitFor();
  const saving = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: 'Save all as .npz' }).click();
  const saved = await openFile(sourceOf('all.npz', readFileSync(await (await saving).path())));
  if ('refusal' in saved) throw new Error(saved.refusal.reason);
  const y = await saved.tensors.find(({ name }) => name === 'y')?.read();
  expect(y && 'values' in y && [...y.values]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  await page.keyboard.press('Escape');
  await pasteText(page, 'y = [13, 23, 43, 53]');
  await dialog(page).getByText('No result can be judged.').waitFor();
  await dialog(page).getByText('Some values of this page are hidden').waitFor();
  expect(await dialog(page).textContent()).not.toMatch(/✓|✗/);
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('reports that the import dialog, the save dialog or the file reader failed to load', async () => {
  const { page } = await openPage(stage);
  await page.route(/open-import|SaveArraysSheet/, (route) => route.abort());
  const alert = page.getByRole('alert');
  await page.getByRole('button', { name: 'Copy or save arrays' }).click();
  await alert.filter({ hasText: 'The save dialog failed to load. Try again' }).waitFor();
  await pasteText(page, '1\t2');
  await alert.filter({ hasText: 'The import dialog failed to load. Try again' }).waitFor();
  // The dialog loads, but not the worker that reads.
  await page.unroute(/open-import|SaveArraysSheet/);
  await page.route(/read-worker/, (route) => route.abort());
  await page.reload();
  await expect.poll(async () => (await readNumbers(page, 'y')).length).toBe(16);
  await pasteText(page, '1\t2');
  await dialog(page).getByText('the file reader failed to load: check your connection').waitFor();
  await page.keyboard.press('Escape');
  // The file is read, but not the module that checks.
  await page.unroute(/read-worker/);
  await page.route(/check.*\.wasm|judge-worker/, (route) => route.abort());
  await page.reload();
  await expect.poll(async () => (await readNumbers(page, 'y')).length).toBe(16);
  await pasteText(page, 'y = [[1, 2], [3, 4]]');
  await dialog(page).getByText('The arrays were not checked').waitFor();
  await page.unroute(/check.*\.wasm|judge-worker/);
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await dialog(page)
    .getByText(/result is (right|wrong)|No result can be judged/)
    .waitFor();
  await page.context().close();
});
