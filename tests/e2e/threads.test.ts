import { describe, expect, it } from 'vitest';
import { type OpenPage, openPage, openStage, useStage } from './support/browser';
import { computed, grid, setField } from './support/grids';

/** 42 million multiply-adds a pass. */
const LARGE = '#h=96&w=96&kh=3&kw=3&c=16&k=32&x=ramp&weights=countdown:9';

async function status({ page }: OpenPage): Promise<string> {
  await page.getByRole('tab', { name: 'Algorithms' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Algorithms' });
  await panel.locator('summary').first().waitFor();
  return (await panel.textContent()) ?? '';
}

/** Another problem of about the same size; resolves with what the page then says of how it was computed. */
async function computeAgain(open: OpenPage, height: number): Promise<string> {
  await setField(open.page, 'height', String(height));
  await grid(open.page, 'y[n=0, k=0]').waitFor();
  await computed(open.page);
  return status(open);
}

describe('a large problem', () => {
  const isolated = useStage({ isolated: true });
  const plain = useStage();

  it('is computed on several threads once their module has arrived, from a sub-path, where the page is isolated', async () => {
    const open = await openPage(isolated, {}, LARGE);
    await grid(open.page, 'y[n=0, k=0]').waitFor();
    expect(await open.page.evaluate(() => crossOriginIsolated)).toBe(true);
    const processors = await open.page.evaluate(() => navigator.hardwareConcurrency);
    expect(await status(open)).not.toMatch(/on \d+ threads/);
    if (processors > 1) {
      // Each edit computes anew; the first ones run before the module has loaded.
      let edits = 0;
      await expect
        .poll(() => computeAgain(open, 97 + (edits++ % 60)), { timeout: 600_000, interval: 0 })
        .toContain(`on ${Math.min(4, processors)} threads`);
    }
    await open.page.context().close();
    expect(open.troubles).toEqual([]);
  });

  it('is computed on one thread where the page is not isolated, and nothing more is fetched', async () => {
    const open = await openPage(plain, {}, LARGE);
    const fetched: string[] = [];
    open.page.context().on('request', (request) => fetched.push(request.url()));
    await grid(open.page, 'y[n=0, k=0]').waitFor();
    for (const height of [97, 98]) expect(await computeAgain(open, height)).not.toMatch(/on \d+ threads/);
    expect(fetched.filter((url) => url.includes('threads'))).toEqual([]);
    await open.page.context().close();
    expect(open.troubles).toEqual([]);
  });

  it('is computed on one thread where the module with threads cannot be had', async () => {
    const broken = await openStage({
      isolated: true,
      patch: (file, body) => (file.includes('conv2d-threads') ? Buffer.from('no module') : body),
    });
    try {
      const open = await openPage(broken, {}, LARGE);
      await grid(open.page, 'y[n=0, k=0]').waitFor();
      for (const height of [97, 98]) expect(await computeAgain(open, height)).not.toMatch(/on \d+ threads/);
      await open.page.context().close();
      expect(open.troubles).toEqual([]);
    } finally {
      await broken.close();
    }
  });
});
