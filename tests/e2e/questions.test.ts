import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { openMode } from './support/modes';

const stage = useStage();

/** The whole check of this layer takes tens of seconds. */
const LARGE = '#v=2&h=64&w=64&c=16&k=32&kh=3&kw=3&padding=same&mode=gradient-check';

const rowOf = (page: Page, gradient: string) =>
  page.getByRole('row', { name: new RegExp(`^backward pass, ${gradient}\\[`) });

const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true });

describe('the gradient check of a large layer', () => {
  it('shows partial results, and an edit does not wait for the rest', { timeout: 120_000 }, async () => {
    const { page, troubles } = await openPage(stage, {}, LARGE);
    await rowOf(page, 'dw').getByRole('cell').first().waitFor();
    const bar = page.getByRole('progressbar');
    await bar.waitFor();
    await expect
      .poll(async () => rowOf(page, 'dw').getByRole('cell').first().textContent(), { timeout: 60_000 })
      .not.toBe('');
    expect(await bar.isVisible()).toBe(true);
    const began = Date.now();
    await page.getByRole('spinbutton', { name: 'filters', exact: true }).fill('2');
    await page.keyboard.press('Enter');
    await page.waitForURL(/k=2(&|$)/);
    await page
      .getByRole('progressbar', { name: /Computing|gradient/i })
      .first()
      .waitFor({ state: 'attached' });
    console.log(`an edit under the check was applied after ${Date.now() - began} ms`);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('can be cancelled and restarted, and never shows the other gradient', { timeout: 120_000 }, async () => {
    const { page, troubles } = await openPage(stage, {}, LARGE);
    // The page has a Cancel button of its own while it computes.
    const check = page.getByRole('tabpanel', { name: 'Gradient check' });
    await check.getByRole('button', { name: 'Cancel' }).click();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await choose(page, 'dx');
    await check.getByRole('button', { name: 'Cancel' }).click();
    await again.waitFor();
    expect(await rowOf(page, 'dw').count()).toBe(0);
    expect(await rowOf(page, 'dx').count()).toBe(1);
    await again.click();
    await again.waitFor({ state: 'detached' });
    await expect
      .poll(async () => rowOf(page, 'dx').getByRole('cell').first().textContent(), { timeout: 60_000 })
      .not.toBe('');
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

describe('a view that fails to load', () => {
  it('reports it and loads on Try again', async () => {
    const { page } = await openPage(stage);
    await page.getByRole('grid', { name: 'y', exact: true }).waitFor();
    await page.route(/LoweringView/, (route) => route.abort());
    await openMode(page, 'im2col');
    await page.getByRole('alert').filter({ hasText: 'failed to load' }).waitFor();
    await page.unroute(/LoweringView/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('radio', { name: /Three products/ }).waitFor({ state: 'attached' });
    await page.context().close();
  });
});
