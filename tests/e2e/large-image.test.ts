import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { useGate } from './support/gate';
import { cellAt, computed, grid, setField, typeInto } from './support/grids';
import { encodePng } from './support/png';
import type { Serving } from './support/site';

const serving: Serving = {};
const stage = useStage(serving);
const gate = useGate(serving);

it('convolves a large photo with a large kernel, and can be stopped', async () => {
  const { page, troubles } = await openPage(stage);
  await grid(page, 'dx').waitFor();
  const photo = encodePng(1024, 1024, (row, col) => [row & 255, col & 255, (row ^ col) & 255]);
  await page.getByRole('radio', { name: '3 channels, RGB' }).check();
  await page.getByLabel('image file').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: photo });
  const width = page.getByRole('spinbutton', { name: 'width', exact: true });
  await expect.poll(() => width.inputValue()).toBe('1024');

  await grid(page, 'dx[n=0, c=0]').waitFor();
  await computed(page);

  const held = gate.hold();
  await setField(page, 'kernel', '31');
  await held.reached;
  await page.getByRole('progressbar').first().waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await computed(page);
  // The edit stays, the page reports the missing values, and the old result still works.
  await page.getByText('Computation stopped. Your change is kept').waitFor();
  const kernel = page.getByRole('spinbutton', { name: 'kernel', exact: true });
  expect(await kernel.inputValue()).toBe('31');
  await page.getByRole('button', { name: 'Undo change' }).click();
  await expect.poll(() => kernel.inputValue()).toBe('3');
  await page.getByText('Computation stopped').waitFor({ state: 'detached' });
  expect(await width.inputValue()).toBe('1024');

  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => width.inputValue()).toBe('7');
  await typeInto(page, cellAt(page, 'w', 0, 0), '0');
  await page.context().close();
  expect(troubles).toEqual([]);
});
