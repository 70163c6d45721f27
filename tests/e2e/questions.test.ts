import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { useGate } from './support/gate';
import { computed } from './support/grids';
import { openMode } from './support/modes';
import type { Serving } from './support/site';

const serving: Serving = {};
const stage = useStage(serving);
const gate = useGate(serving);

const CHECK = '#v=2&h=8&w=8&c=2&k=3&kh=3&kw=3&padding=same&mode=gradient-check';

const rowOf = (page: Page, gradient: string) =>
  page.getByRole('row', { name: new RegExp(`^backward pass, ${gradient}\\[`) });
const firstOf = (page: Page, gradient: string) => rowOf(page, gradient).getByRole('cell').first();

const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true });

/** Holds the check from its second question on. */
function holdAfterFirst() {
  let asked = 0;
  return gate.hold((phase) => phase === 'gradient check' && ++asked > 1);
}

describe('a gradient check that takes long', () => {
  it('shows partial results, and an edit does not wait for the rest', async () => {
    const held = holdAfterFirst();
    const { page, troubles } = await openPage(stage, {}, CHECK);
    await held.reached;
    await expect.poll(() => firstOf(page, 'dw').textContent()).not.toBe('');
    await page.getByRole('progressbar').first().waitFor();
    await page.getByRole('spinbutton', { name: 'filters', exact: true }).fill('2');
    await page.keyboard.press('Enter');
    await page.waitForURL(/k=2(&|$)/);
    // The worker that is held is replaced: the new problem is checked to its end.
    await computed(page);
    await expect.poll(() => firstOf(page, 'dw').textContent()).not.toBe('');
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('can be cancelled and restarted, and never shows the other gradient', async () => {
    const first = gate.hold((phase) => phase === 'gradient check');
    const { page, troubles } = await openPage(stage, {}, CHECK);
    await first.reached;
    // The page has a Cancel button of its own while it computes.
    const check = page.getByRole('tabpanel', { name: 'Gradient check' });
    await check.getByRole('button', { name: 'Cancel' }).click();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    const second = gate.hold((phase) => phase === 'gradient check');
    await choose(page, 'dx');
    await second.reached;
    await check.getByRole('button', { name: 'Cancel' }).click();
    await again.waitFor();
    expect(await rowOf(page, 'dw').count()).toBe(0);
    expect(await rowOf(page, 'dx').count()).toBe(1);
    await again.click();
    await again.waitFor({ state: 'detached' });
    await expect.poll(() => firstOf(page, 'dx').textContent()).not.toBe('');
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

describe('a view that fails to load', () => {
  it('reports it and loads on Try again', async () => {
    const { page } = await openPage(stage);
    await page.getByRole('grid', { name: 'y', exact: true }).waitFor();
    await page.route(/Im2colView/, (route) => route.abort());
    await openMode(page, 'im2col');
    await page.getByRole('alert').filter({ hasText: 'failed to load' }).waitFor();
    await page.unroute(/Im2colView/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('radio', { name: /Three products/ }).waitFor({ state: 'attached' });
    await page.context().close();
  });
});
