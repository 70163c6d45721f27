import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { grid } from './support/grids';

const stage = useStage();

describe('an algorithm', () => {
  it('can be chosen in the side panel, runs, is stored in the link, and is released from the stage', async () => {
    const { page, troubles } = await openPage(stage);
    await grid(page, 'dx').waitFor();
    await page.getByRole('tab', { name: 'Algorithms' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Algorithms' });
    const summary = panel.locator('summary').filter({ hasText: 'dx by' });
    await summary.click();
    await panel.getByRole('radio', { name: 'gather', exact: true }).check();
    await summary.filter({ hasText: 'dx by gather' }).waitFor();
    await page.waitForURL(/gather/);
    await page.getByRole('tab', { name: 'Explain' }).click();
    const release = page.getByRole('button', { name: 'dx by gather' });
    await release.click();
    await release.waitFor({ state: 'detached' });
    await page.waitForURL((url) => !url.hash.includes('gather'));
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});
