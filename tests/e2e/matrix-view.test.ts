import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { grid } from './support/grids';
import { settledPanels } from './support/survey/layout';

// The convolution matrix as a map. Its entries and their meaning are in tests/web/page.

const stage = useStage();

it('uses the whole stage for a map, and names the entry under the mouse', async () => {
  const hash = '#v=2&h=7&w=7&c=3&k=4&kh=3&kw=3&padding=same&x=random:3&weights=random:5&mode=matrix';
  const { page, troubles } = await openPage(stage, { viewport: { width: 1920, height: 1080 } }, hash);
  const map = page.locator('.panel--C canvas').first();
  await map.waitFor();
  // With the second part of the page, the stage has less room.
  await page.getByRole('spinbutton', { name: 'height', exact: true }).waitFor();
  await settledPanels(page);
  const [c, room] = [await map.boundingBox(), await page.locator('.stage__room').boundingBox()];
  expect(c?.height).toBeGreaterThan(0.85 * (room?.height ?? 9999));
  // 196 rows, for the cells of y, and 147 columns, for those of x.
  expect(await grid(page, 'C').getAttribute('aria-rowcount')).toBe('196');
  const [width = 0, height = 0] = [c?.width, c?.height];
  await map.hover({ position: { x: (width * 146.5) / 147, y: (height * 0.5) / 196 } });
  await page.getByText('Row 0 gives y[0,0,0], column 146 is x[6,6,2].').waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});
