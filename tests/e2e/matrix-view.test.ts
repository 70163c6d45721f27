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

const WINDOWS = [
  [1280, 720],
  [1024, 768],
  [844, 390],
  [640, 360],
  [390, 844],
] as const;

it.each(['#h=4&kh=3', '#h=8&kh=3&c=3&k=4&n=2&stride=2&padding=same'])(
  'the vectors of %s are along the rows and columns of C, whole titles, and a sign',
  async (problem) => {
    const { page, troubles } = await openPage(stage, { viewport: null }, `${problem}&mode=matrix`);
    for (const form of ['dx = Cᵀ dy', 'y = C x']) {
      await page.getByRole('radio', { name: form, exact: true }).check();
      for (const [width, height] of WINDOWS) {
        await page.setViewportSize({ width, height });
        await settledPanels(page);
        const found = await page.evaluate(() => {
          const box = (element: Element | null | undefined) => element?.getBoundingClientRect() ?? new DOMRect();
          const c = box(document.querySelector('.panel--C [aria-label^="C"]'));
          const all = [...document.querySelectorAll('.panel--C :is(.conv-strip canvas, [aria-label*=" in one "])')].map(
            box,
          );
          const [row, column] = [all.find(({ bottom }) => bottom <= c.top), all.find(({ right }) => right <= c.left)];
          const sign = box(document.querySelector('.conv-sign'));
          const title = document.querySelector('.panel--C .figure__subtitle');
          return {
            vectors: all.length,
            across: Math.abs((row?.left ?? 0) - c.left) + Math.abs((row?.right ?? 0) - c.right) < 2,
            down: Math.abs((column?.top ?? 0) - c.top) + Math.abs((column?.bottom ?? 0) - c.bottom) < 2,
            between: (column?.right ?? 0) < sign.left && sign.right < c.left,
            title: title !== null && title.scrollHeight <= title.clientHeight,
          };
        });
        expect(found, `${form}, ${width} x ${height}`).toEqual({
          vectors: 2,
          ...{ across: true, down: true, between: true, title: true },
        });
      }
    }
    await page.context().close();
    expect(troubles).toEqual([]);
  },
);
