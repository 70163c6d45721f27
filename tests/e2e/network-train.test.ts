import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { grid } from './support/grids';

/** A convolution with the single weight 1 copies x; then ReLU. x[0,0] is 0, and −x is not there: every other cell is above 0. */
const COPY = '#h=3&kh=1&x=ramp:-1&weights=ones&layer.2=relu&dy=ones&mode=gradient-check&gradient-check.parameter=x';

describe('training views of a network', () => {
  const stage = useStage();

  it('check the gradient up to the loss at the end, and name the cell at which ReLU bends it', async () => {
    const { page, troubles } = await openPage(stage, {}, `${COPY}&gradient-check.epsilon=0.1`);
    const verdict = page.locator('.verdict');
    await page.getByText('L = Σ y2 · dy2').waitFor();
    // x = −1, 0, 1, …: the cell 1 is exactly 0.
    await expect
      .poll(() => verdict.textContent())
      .toContain('No single slope at x[0,1]: upwards the slope is 1, downwards 0. In layer 2, y1[0,1] is 0.');
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('offer a smaller step where that avoids the bend', async () => {
    // x = −0.5, 0.5, …: steps of 1 cross 0, smaller ones do not.
    const { page, troubles } = await openPage(
      stage,
      {},
      `${COPY.replace('ramp:-1', 'ramp:-0.5')}&gradient-check.epsilon=1`,
    );
    const verdict = page.locator('.verdict');
    await expect
      .poll(() => verdict.textContent())
      .toContain('So the loss bends: upwards the slope is 0.5, downwards 0.');
    // The view opens on the cell with the largest gradient.
    await verdict.getByRole('button', { name: 'Select dx[0,0]' }).click();
    await verdict.getByRole('button', { name: 'Use ε = 0.3' }).click();
    await expect.poll(() => verdict.textContent()).toContain('Confirmed. All 9 cells of dx agree');
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('learn a task in all layers, plot the norm of each gradient, and copy all weights into the problem', async () => {
    const { page, troubles } = await openPage(stage, {}, '#h=5&kh=3&mode=learn');
    const main = page.getByRole('main');
    await main.getByRole('combobox', { name: 'task' }).selectOption('edges');
    await page.getByRole('navigation', { name: 'Network' }).getByText('Layer 3: conv 1 × 1').waitFor();
    await main.getByText('After 0 steps L').waitFor();
    await grid(page, 'target of the descent').waitFor();
    const steps = main.getByRole('slider', { name: 'steps of gradient descent' });
    await steps.press('End');
    await main.getByText('After 1,000 steps L').waitFor();
    await main.getByText('Converged: L <').waitFor();

    await main.getByRole('button', { name: 'Setup' }).click();
    await main.getByRole('combobox', { name: 'plot' }).selectOption('norms');
    expect(await main.locator('.plot__key').allTextContents()).toEqual([
      expect.stringMatching(/^layer 1[\d·⁻]/),
      expect.stringMatching(/^layer 3[\d·⁻]/),
    ]);

    // Weights of 0 learn nothing.
    await steps.press('Home');
    const setup = main.getByRole('button', { name: 'Setup' });
    await setup.click();
    const scale = main.getByRole('slider', { name: 'initial weights' });
    await scale.press('Home');
    await main.getByText('dw is 0 in all layers: nothing can be learned.').waitFor();
    // 0.01, 0.02, 0.03, 0.05, 0.1.
    for (let i = 0; i < 5; i += 1) await scale.press('ArrowRight');
    await expect.poll(() => scale.getAttribute('aria-valuetext')).toBe('× 0.1');
    await steps.press('End');
    await main.getByText('Converged: L <').waitFor();
    const sum = (await main.locator('.scrubber__sentence').textContent())?.match(/L = (\S+)\./)?.[1];
    await setup.click();
    await main.getByRole('button', { name: 'Use these weights' }).click();
    await main.getByText(`After 0 steps L = ${sum}`).waitFor();
    expect(await scale.getAttribute('aria-valuetext')).toBe('× 1');
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});
