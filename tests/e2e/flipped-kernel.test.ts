import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';

const stage = useStage();

/** x is 4 × 4, w counts down from 9, dy is 1, 2, 3, 4; step 6 is dx[1,1] = 77. */
const LINK = '#h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA&mode=dx';
const STEP = `${LINK}&dx.t=6`;
const STILL: BrowserContextOptions = { reducedMotion: 'reduce' };
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const products = (page: Page) => page.locator('.products__one');

/** The first product and the outline of the kernel on the padded dy, in CSS pixels. */
const places = (page: Page) =>
  page.evaluate(() => {
    const at = (element: Element | null | undefined) => {
      const { x = 0, y = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
      return [x, y, width, height].map(Math.round);
    };
    const outlines = [...document.querySelectorAll('.panel--dy_inserted .mark--source .mark__line')].map(at);
    const window = outlines.sort(([, , a = 0], [, , b = 0]) => b - a)[0] ?? [];
    return { window, first: at(document.querySelector('.products__one')) };
  });

it('lies on the padded dy with its nine products, where the caption and the outlines are', async () => {
  const { page, troubles } = await openPage(stage, STILL, STEP);
  const texts = () => products(page).allTextContents();
  await expect.poll(texts).toEqual(['0·1', '0·2', '0·3', '0·4', '1·5', '2·6', '0·7', '3·8', '4·9']);
  expect(await page.locator('.products__one--counts').allTextContents()).toEqual(['1·5', '2·6', '3·8', '4·9']);
  // Over the cells, three cells wide; the outline is drawn around them.
  const { window, first } = await places(page);
  const [x = 0, y = 0, width = 0, height = 0] = window;
  const [left = 0, top = 0, wide = 0] = first;
  expect(Math.abs(left - x)).toBeLessThanOrEqual(1);
  expect(Math.abs(top - y)).toBeLessThanOrEqual(1);
  expect([Math.round(width / wide), Math.round(height / wide)]).toEqual([3, 3]);
  // Another cell of dx moves it: of dx[3,3], only w[2,2] = 1 is on dy.
  await page.locator('.panel--dx [data-row="3"][data-col="3"]').hover();
  await expect.poll(() => page.locator('.products__one--counts').allTextContents()).toEqual(['4·1']);
  await expect.poll(async () => (await places(page)).first).toEqual([left + 2 * wide, top + 2 * wide, wide, wide]);
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('of the mistake is not flipped: other weights are on dy', async () => {
  const { page } = await openPage(stage, STILL, `${STEP}&dx.unturned=true`);
  await expect
    .poll(() => page.locator('.products__one--counts').allTextContents())
    .toEqual(['1·5', '2·4', '3·2', '4·1']);
  await page.context().close();
});

/** The moving cells, with the duration of their motion in ms. */
const moving = (page: Page) =>
  page.evaluate(() =>
    document.getAnimations().flatMap(({ effect }) => {
      const target = effect instanceof KeyframeEffect ? effect.target : null;
      const isCell = target?.matches('.panel--w_flipped [role="gridcell"]');
      return target?.matches('[role="gridcell"], .panel *') ? [isCell ? Number(effect?.getTiming().duration) : -1] : [];
    }),
  );

/** Motions wait until they are ended: a test sees them on any machine. */
const holdMotions = (page: Page) =>
  page.addInitScript(() => {
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...motion) {
      const animation = animate.apply(this, motion);
      animation.pause();
      return animation;
    };
  });

const endMotions = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });

const panels = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main .panel')].map((panel) => {
      const { x, y, width, height } = panel.getBoundingClientRect();
      return [panel.className, x, y, width, height].join(' ');
    }),
  );

it('is seen to flip, once when a step is opened and with a button; nothing else moves', async () => {
  const { page, troubles } = await openPage(stage, {}, '');
  await holdMotions(page);
  await page.goto(`${stage.site.url}?held${STEP}`);
  await products(page).first().waitFor();
  await expect.poll(() => moving(page)).toHaveLength(9);
  await endMotions(page);
  expect(await moving(page)).toEqual([]);
  const before = await panels(page);
  await page.getByRole('button', { name: 'Flip w' }).click();
  const durations = await moving(page);
  // A rest and two phases of 150 to 250 ms.
  expect(durations).toHaveLength(9);
  for (const duration of durations) expect(duration).toBeLessThanOrEqual(3 * 250);
  expect(await panels(page)).toEqual(before);
  await endMotions(page);
  expect(await panels(page)).toEqual(before);
  // Opened again, it stays still.
  await page.getByRole('tab', { name: 'dw & db' }).click();
  await page.getByRole('tab', { name: 'dx', exact: true }).click();
  await products(page).first().waitFor();
  expect(await moving(page)).toEqual([]);
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('does not move with reduced motion, nor before a step is chosen', async () => {
  for (const [options, link] of [
    [STILL, STEP],
    [{}, LINK],
  ] as const) {
    const { page } = await openPage(stage, options, link);
    await products(page).first().waitFor();
    expect(await moving(page)).toEqual([]);
    await page.context().close();
  }
});

it('is beside the padded dy on a phone, too', async () => {
  const { page } = await openPage(stage, PHONE, STEP);
  await products(page).first().waitFor();
  const boxOf = async (name: string) => {
    const box = await page.locator(`main .panel--${name}`).boundingBox();
    if (!box) throw new Error(`no panel of ${name}`);
    return box;
  };
  const [dy, w] = [await boxOf('dy_inserted'), await boxOf('w_flipped')];
  expect(w.y).toBe(dy.y);
  expect(w.x).toBeGreaterThan(dy.x + 100);
  expect(w.x + w.width).toBeLessThanOrEqual(390);
  await page.context().close();
});
