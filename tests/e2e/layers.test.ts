import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNpy } from '../../web/src/formats/npy';
import { openPage, useStage } from './support/browser';
import { dropFiles, pasteText } from './support/drop-and-paste';

// A layer of a training program: one drop finds its geometry, one click imports and compares it.

const stage = useStage();
const LAYERS = new URL('../web/formats/made/layers/', import.meta.url);
const layer = (name: string) => ({ name, bytes: readFileSync(new URL(name, LAYERS)) });

async function open() {
  const opened = await openPage(stage);
  return { ...opened, dialog: opened.page.getByRole('dialog') };
}

const RESULTS = ['y', 'dx', 'dw', 'db'];

describe('one drop and one click compare all results of', () => {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.page.context().close());

  it.each([
    ['stride-groups.npz', 'PyTorch (NCHW, OIHW), stride 2, padding 1, 2 groups: y is [2, 6, 3, 4]', 'exactly'],
    ['depthwise-multiplier.npz', 'stride 2, padding 1, depthwise (3 groups): y is [1, 6, 4, 4]', 'exactly'],
    ['keras-same.npz', 'TensorFlow (NHWC, HWIO), stride 2, padding 0 above, 1 below, 0 left and 1 right', 'exactly'],
    ['lite.npz', 'TensorFlow Lite (NHWC, OHWI), stride 2, no padding: y is [1, 4, 3, 6]', 'exactly'],
    ['mixed.npz', 'x NCHW, w HWIO, y NHWC, stride 1, padding 1: y is [2, 7, 8, 5]', 'exactly'],
    ['without-names.npz', 'PyTorch (NCHW, OIHW), stride 2, padding 1: y is [2, 4, 4, 4]', 'exactly'],
    ['arguments.npz', 'stride 2 × 1, padding 2 above, 0 below, 0 left and 1 right', 'exactly'],
    ['metadata.safetensors', 'stride 2 × 1, padding 2 above, 0 below, 0 left and 1 right', 'exactly'],
    [
      'bfloat16.safetensors',
      'PyTorch (NCHW, OIHW), stride 1, padding 1, 2 groups',
      '(?:within float32 rounding|(?:after rounding|with inputs rounded) to .*float16)',
    ],
  ])('%s', async (file, geometry, how) => {
    const { page, dialog, troubles } = opened;
    await dropFiles(page, [layer(file)]);
    // The likeliest solution is chosen, or it is the only one.
    await dialog.locator('.numbers__only, :checked + span').filter({ hasText: geometry }).waitFor();
    await dialog.getByRole('button', { name: 'Import x, w, b, dy, then compare y, dx, dw, db' }).click();
    for (const result of RESULTS) {
      await dialog.getByText(new RegExp(`^✓ All \\d+ values of ${result} match ${how}\\.$`)).waitFor();
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(troubles).toEqual([]);
  });
});

it('sizes that fit two layers: the values tell which one, and one click changes to it', async () => {
  const { page, dialog, troubles } = await open();
  await dropFiles(page, [layer('dilated.npz')]);
  await dialog.getByRole('button', { name: /^Import x, w, b, dy, then compare/ }).click();
  await dialog.getByText(/^✗ \d+ of 432 values of y differ\.$/).waitFor();
  await dialog.getByLabel('PyTorch (NCHW, OIHW), stride 1, padding 2, dilation 2').check();
  for (const result of RESULTS) {
    await dialog.getByText(new RegExp(`^✓ All \\d+ values of ${result} match exactly\\.$`)).waitFor();
  }
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
  await dialog.getByRole('heading', { name: 'Import 3 files' }).waitFor();
  await dialog.locator(':checked + span').filter({ hasText: 'stride 1, no padding: y is [1, 1, 2, 3]' }).waitFor();
  await dialog.getByRole('button', { name: 'Import x, w, then compare y' }).click();
  await dialog.getByText('✓ All 6 values of y match exactly.').waitFor();
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

it('names the axis that fits nothing, and compares the rest', async () => {
  const { page, dialog, troubles } = await open();
  const nested = ([size = 1, ...others]: readonly number[]): string =>
    `[${Array.from({ length: size }, () => (others.length === 0 ? '0' : nested(others))).join(', ')}]`;
  const shapes = { x: [2, 4, 6, 7], weight: [6, 2, 3, 3], out: [2, 6, 3, 4], 'out.grad': [2, 5, 3, 4] };
  const text = Object.entries(shapes).map(([name, shape]) => `${name} = tensor(${nested(shape)})`);
  await pasteText(page, text.join('\n'));
  await dialog.getByText('dy is [2, 5, 3, 4], but y is [2, 6, 3, 4].').waitFor();
  await dialog.getByRole('button', { name: 'Import x, w, then compare y' }).click();
  await dialog.getByText('✓ All 144 values of y match exactly.').waitFor();
  expect(troubles).toEqual([]);
  await page.context().close();
});
