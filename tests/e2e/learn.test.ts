import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { grid, readNumbers } from './support/grids';
import { openMode } from './support/modes';
import { encodePng } from './support/png';
import { randomOf } from './support/random';

const stage = useStage();

const BLUR = [0.0625, 0.125, 0.0625, 0.125, 0.25, 0.125, 0.0625, 0.125, 0.0625];

it('learns a chosen task, steps back and forth, and copies the weights into the problem', async () => {
  const { page, troubles } = await openPage(stage, {}, '#h=5&kh=3&mode=learn');
  const main = page.getByRole('main');
  await main.getByRole('combobox', { name: 'task' }).selectOption('blur');
  const sentence = main.locator('.scrubber__sentence');
  const said = (text: string) => main.getByText(text).waitFor();
  await said('After 0 steps L = 0.198.');
  await grid(page, 'target of the descent').waitFor();
  // Two step, two steps, then back to the first: the same text.
  await main.getByRole('button', { name: 'One step forward' }).click();
  await said('After 1 step L');
  const first = await sentence.textContent();
  await main.getByRole('button', { name: 'One step forward' }).click();
  await said('After 2 steps L');
  await main.getByRole('button', { name: 'One step back' }).click();
  await said('After 1 step L');
  expect(await sentence.textContent()).toBe(first);
  await main.getByRole('slider', { name: 'steps of gradient descent' }).press('End');
  await said('After 100 steps L');
  await said('Converged: L <');
  expect(await main.locator('.plot__line').first().getAttribute('d')).toMatch(
    /^(M[\d.]+ [\d.]+)(L[\d.]+ [\d.]+){100}$/,
  );
  const learned = await readNumbers(page, 'w of the descent');
  expect(learned.map((value, i) => Math.abs(value - (BLUR[i] ?? 0)) < 0.006)).not.toContain(false);
  await main.getByRole('button', { name: 'Setup' }).click();
  await main.getByRole('button', { name: 'Use these weights' }).click();
  await said('After 0 steps L');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect.poll(() => readNumbers(page, 'w')).toEqual(learned);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => readNumbers(page, 'w')).toEqual(BLUR.map(() => 0));
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('opens on the blurred x, and Play converges', async () => {
  for (const problem of ['', '#h=8&kh=3&x=random:3&weights=random:5&mode=learn']) {
    const { page, troubles } = await openPage(stage, {}, problem);
    const main = page.getByRole('main');
    if (problem === '') await openMode(page, 'Learn');
    await grid(page, 'target of the descent').waitFor();
    expect((await readNumbers(page, 'target of the descent')).some((value) => value !== 0)).toBe(true);
    expect(await main.getByRole('combobox', { name: 'task' }).inputValue()).toBe('your-x');
    const sentence = main.locator('.scrubber__sentence');
    await main.getByText('After 0 steps L').waitFor();
    const numberIn = async (pattern: RegExp) => {
      const [, digits = '', power = '⁰'] = pattern.exec((await sentence.textContent()) ?? '') ?? [];
      const exponent = power.replace(/[⁰¹²³⁴-⁹]/g, (sign) => String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign))).replace('⁻', '-');
      return Number(`${digits}e${exponent}`);
    };
    const first = await numberIn(/L = ([\d.]*\d)(?:·10([⁰¹²³⁴-⁹⁻]+))?/);
    await main.getByRole('slider', { name: 'steps of gradient descent' }).press('Home');
    const faster = main.getByRole('button', { name: 'Faster' });
    for (let times = 0; times < 3; times += 1) await faster.click();
    await main.getByRole('button', { name: 'Play', exact: true }).click();
    await main.getByText('After 100 steps L').waitFor();
    const last = await numberIn(/L = ([\d.]*\d)(?:·10([⁰¹²³⁴-⁹⁻]+))?/);
    expect(last, problem).toBeLessThan(0.02 * first);
    await page.context().close();
    expect(troubles).toEqual([]);
  }
});

it('learns x with the kernel of the task, shows values after the step, and gives back the problem', async () => {
  const { page, troubles } = await openPage(stage, {}, '#h=5&kh=3&x=random:4&mode=learn');
  const main = page.getByRole('main');
  await main.getByRole('combobox', { name: 'task' }).selectOption('blur');
  await main.getByText('After 0 steps L = 0.198.').waitFor();
  await main.getByRole('button', { name: 'Setup' }).click();
  await main.getByRole('radio', { name: 'learn x' }).check();
  await page.keyboard.press('Escape');
  await main.getByRole('slider', { name: 'steps of gradient descent' }).press('ArrowRight');
  await main.getByText('After 1 step L').waitFor();
  const kernel = await readNumbers(page, 'w of the descent');
  expect(kernel.map((value, i) => Math.abs(value - (BLUR[i] ?? 0)) < 0.01)).not.toContain(false);
  // The text beside the view follows the steps.
  const about = page.locator('.about .view-title').first();
  await grid(page, 'w of the descent').getByRole('gridcell').nth(4).hover();
  await expect.poll(() => about.textContent()).toBe('w[1,1] = 0.25 after 1 step');
  await main.getByRole('button', { name: 'Setup' }).click();
  await main.getByRole('radio', { name: 'learn w' }).check();
  await page.keyboard.press('Escape');
  await main.getByText('After 0 steps L').waitFor();
  await grid(page, 'w of the descent').getByRole('gridcell').nth(4).hover();
  await expect.poll(() => about.textContent()).toBe('w[1,1] = 0 after 0 steps');
  await main.getByRole('slider', { name: 'steps of gradient descent' }).press('End');
  await expect.poll(() => about.textContent()).toMatch(/^w\[1,1\] = 0\.2\d+ after 100 steps$/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => page.url()).toMatch(/h=5&.*x=random:4/);
  await page.context().close();

  // A gradient of 0 has a reason.
  const { page: still } = await openPage(
    stage,
    {},
    '#h=5&kh=3&weights=constant:0&mode=learn&learn.task=own&learn.learns=x',
  );
  await still.getByText('dx is 0, because w is 0').waitFor();
  await still.context().close();
  expect(troubles).toEqual([]);
});

it('explains a learning rate that is too large, and stops when a value overflows', async () => {
  const task = '#h=24&kh=3&padding=same&x=sample:test_chart&weights=constant:0&dy=mse:0&mode=learn&learn.task=blur';
  const { page, troubles } = await openPage(stage, {}, `${task}&learn.rate=1&learn.t=100&learn.until=100`);
  const main = page.getByRole('main');
  await main.getByText('overflows float32').waitFor();
  await main.getByText('1 (diverges above 0.578)').waitFor();
  await page.getByText('This learning rate is above it: the loss diverges.').waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('learns from two image files: an image and its target', async () => {
  const { page, troubles } = await openPage(stage);
  const noise = randomOf(7);
  const cells = Array.from({ length: 320 }, () => noise.below(256));
  const gray = (row: number, col: number) => cells[row * 20 + col] ?? 0;
  const png = (name: string, high: number, wide: number, at: (row: number, col: number) => number) => ({
    name,
    mimeType: 'image/png',
    buffer: encodePng(wide, high, (row, col) => [at(row, col), at(row, col), at(row, col)]),
  });
  await page.getByLabel('image file', { exact: true }).setInputFiles(png('in.png', 16, 20, gray));
  const main = page.getByRole('main');
  await openMode(page, 'Learn');
  await main.getByRole('button', { name: 'Setup' }).click();
  const target = main.getByLabel('target image file');
  await target.setInputFiles(png('small.png', 5, 6, gray));
  await page.getByText('small.png cannot be the target: it is 5 × 6 pixels, but y is 16 × 20').waitFor();
  // Moved down by one cell; above the image are zeros.
  await target.setInputFiles(png('out.png', 16, 20, (row, col) => (row === 0 ? 0 : gray(row - 1, col))));
  await main.getByRole('combobox', { name: 'number of steps' }).selectOption('1,000');
  await page.keyboard.press('Escape');
  const rate = main.getByRole('slider', { name: /^learning rate/ });
  await expect
    .poll(async () => {
      await rate.press('ArrowRight');
      return Number.parseFloat((await rate.getAttribute('aria-valuetext')) ?? '');
    })
    .toBeGreaterThanOrEqual(0.8);
  await main.getByRole('slider', { name: 'steps of gradient descent' }).press('End');
  await main.getByText('After 1,000 steps L').waitFor();
  const texts = await grid(page, 'w of the descent').getByRole('gridcell').allTextContents();
  // A value that is too small for its cell is shown as ≈0.
  const learned = texts.map((text) => Number(text.replaceAll('\u2212', '-').replace('\u2248', '')));
  const wanted = [0, 1, 0, 0, 0, 0, 0, 0, 0];
  expect(learned.map((value) => (Math.abs(value) < 0.01 ? 0 : Number(value.toFixed(1))))).toEqual(wanted);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('learns a layer of 32 x 32 x 3 with 8 filters, and stops at once', async () => {
  const layer = '#h=32&w=32&c=3&k=8&kh=3&padding=same&x=random:1&weights=constant:0&dy=mse:0';
  const { page, troubles } = await openPage(stage, {}, `${layer}&mode=learn&learn.task=sobel&learn.until=10000`);
  const main = page.getByRole('main');
  const count = async () =>
    Number((await main.locator('.scrubber__count').textContent())?.split('/')[0]?.replace(',', ''));
  await main.getByText('After 0 steps L').waitFor();
  const faster = main.getByRole('button', { name: 'Faster' });
  for (let times = 0; times < 5; times += 1) await faster.click();
  await main.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(count).toBeGreaterThan(0);
  await main.getByRole('button', { name: 'Pause' }).click();
  await main.getByRole('button', { name: 'Play', exact: true }).waitFor();
  const stopped = await count();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await count()).toBe(stopped);
  await page.context().close();
  expect(troubles).toEqual([]);
});
