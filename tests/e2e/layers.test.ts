import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNpy } from '../../web/src/formats/npy';
import { openPage, useStage } from './support/browser';
import { dropFiles, pasteText } from './support/drop-and-paste';
import { readNumbers } from './support/grids';

// A layer of a training program: one drop finds its geometry and checks its results, one click opens it.

const stage = useStage();
const LAYERS = new URL('../web/formats/made/layers/', import.meta.url);
const layer = (name: string) => ({ name, bytes: readFileSync(new URL(name, LAYERS)) });

async function open() {
  const opened = await openPage(stage);
  return { ...opened, dialog: opened.page.getByRole('dialog') };
}

describe('one drop checks all results of', () => {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.page.context().close());

  it.each([
    ['stride-groups.npz', /^Stride 2, padding 1, 2 groups/],
    ['dilated.npz', /^Stride 1, padding 2, dilation 2/],
    ['keras-same.npz', /^Stride 2, padding top 0, bottom 1, left 0, right 1/],
    ['without-names.npz', /^Stride 2, padding 1/],
    [
      'arguments.npz',
      /^Stride 2 x 1, padding top 2, bottom 0, left 0, right 1.*The file says .*, and the values agree/,
    ],
    ['bfloat16.safetensors', /^Stride 1, padding 1, 2 groups/],
  ])('%s', async (file, geometry) => {
    const { page, dialog, troubles } = opened;
    await dropFiles(page, [layer(file)]);
    await dialog.getByText('All 4 results are right.').waitFor();
    await dialog.locator('.judged__facts').getByText(geometry).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(troubles).toEqual([]);
  });
});

it('the layer opens on the page with the keyboard alone', async () => {
  const { page, dialog, troubles } = await open();
  await dropFiles(page, [layer('stride-groups.npz')]);
  await dialog.getByText('All 4 results are right.').waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  await page.keyboard.press('Tab');
  for (let step = 0; step < 20 && (await focused()) !== 'Open on the page'; step += 1) await page.keyboard.press('Tab');
  expect(await focused()).toBe('Open on the page');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.url()).toMatch(/groups=2/);
  await expect.poll(() => page.url()).toMatch(/stride=2/);
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('opens a set of .npy files as one layer without a bias', async () => {
  const { page, dialog, troubles } = await open();
  // Ones: every window of x has 4 cells, except those of the padding.
  const ones = (...shape: readonly number[]) =>
    writeNpy(shape, new Float32Array(shape.reduce((product, size) => product * size)).fill(1));
  await dropFiles(page, [
    { name: 'input.npy', bytes: ones(1, 1, 3, 4) },
    { name: 'weight.npy', bytes: ones(1, 1, 2, 2) },
    { name: 'output.npy', bytes: writeNpy([1, 1, 2, 3], Float32Array.of(4, 4, 4, 4, 4, 4)) },
  ]);
  await dialog.getByRole('heading', { name: 'Check of 3 files' }).waitFor();
  await dialog.getByText('The result is right.').waitFor();
  await dialog.getByRole('button', { name: 'Open on the page' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => readNumbers(page, 'y')).toEqual([4, 4, 4, 4, 4, 4]);
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('an array that is taken from one tensor goes to no other by itself', async () => {
  const { page, dialog, troubles } = await open();
  await dropFiles(page, [{ name: 'table.csv', bytes: Buffer.from('1,2,3,4,5\n'.repeat(5)) }]);
  const chosenFor = (name: string) =>
    dialog.getByRole('combobox', { name, exact: true }).locator('option:checked').textContent();
  await expect.poll(() => chosenFor('x')).toBe('table [5, 5], decimal');
  await dialog.getByRole('combobox', { name: 'x', exact: true }).selectOption({ label: 'unchanged' });
  await expect.poll(() => chosenFor('x')).toBe('unchanged');
  expect(await chosenFor('w')).toBe('unchanged');
  expect(await dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
  await dialog.getByRole('combobox', { name: 'w', exact: true }).selectOption({ index: 1 });
  await dialog.getByText('Sizes that change: kernel height 3 → 5, kernel width 3 → 5.').waitFor();
  expect(await chosenFor('x')).toBe('unchanged');
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('names a dy that does not fit, and checks the rest', async () => {
  const { page, dialog, troubles } = await open();
  const nested = ([size = 1, ...others]: readonly number[]): string =>
    `[${Array.from({ length: size }, () => (others.length === 0 ? '0' : nested(others))).join(', ')}]`;
  const shapes = { x: [2, 4, 6, 7], weight: [6, 2, 3, 3], out: [2, 6, 3, 4], 'out.grad': [2, 5, 3, 4] };
  const text = Object.entries(shapes).map(([name, shape]) => `${name} = tensor(${nested(shape)})`);
  await pasteText(page, text.join('\n'));
  await dialog.getByText('dy is [2, 5, 3, 4], but y is [2, 6, 3, 4].').waitFor();
  expect(troubles).toEqual([]);
  await page.context().close();
});
