import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { openPage, useStage } from './support/browser';
import { inspector } from './support/survey/checkers';
import { collisions, cutOff } from './support/survey/fitting';
import { type Panel, settledPanels } from './support/survey/layout';
import { visit } from './support/survey/visits';
import { WALKS } from './support/survey/walks';

// The survey: every view and choice on a desktop, a phone and in an embedded frame, with all checkers on each visit.

const stage = useStage();

it.each(WALKS)('$name: $problem', async ({ kind, options, problem, extent, checks }) => {
  const { page, troubles } = await openPage(stage, options, problem);
  await page.locator('main .panel, main table').first().waitFor();
  const seen = new Map<string, Panel>();
  const inspect = inspector(page, checks, seen);
  const faults: string[] = [];
  await visit(
    page,
    extent,
    async (name) => faults.push(...(await inspect(name))),
    kind === 'embed' ? (_, { id }) => openEmbed(page, id, problem) : undefined,
  );
  if (kind === 'zoomed') expect(await roomOfStage(page)).toBeGreaterThan(90);
  await page.context().close();
  expect(faults, faults.join('\n')).toEqual([]);
  expect(troubles).toEqual([]);
  // The six tensors that the views share, and db.
  if (checks.includes('moved') && extent !== 'opening')
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['x', 'w', 'y', 'dx', 'dw', 'db', 'dy']));
});

/** An embedded frame has one view, and neither tabs nor a banner. */
async function openEmbed(page: Page, id: string, problem: string): Promise<void> {
  await page.goto(`${stage.site.url}embed.html?embed=${id}${problem}`);
  // In Train the first table is that of the curve, which is folded.
  await page.locator('main .panel, main table').filter({ visible: true }).first().waitFor();
  expect([id, await page.getByRole('tab').count(), await page.getByRole('banner').count()]).toEqual([id, 0, 0]);
}

/** Pixels for the panels above the player, once they are scrolled to. */
const roomOfStage = (page: Page): Promise<number> =>
  page.evaluate(() => {
    document.querySelector('main .panel')?.scrollIntoView({ block: 'start' });
    const { top } = document.querySelector('.stage__room')?.getBoundingClientRect() ?? { top: 0 };
    const { top: dock } = document.querySelector('.dock')?.getBoundingClientRect() ?? { top: 0 };
    return dock - Math.max(0, top);
  });

const WINDOWS = [
  { width: 1280, height: 720 },
  ...(THOROUGH ? [{ width: 390, height: 844 }] : []),
  { width: 320, height: 640 },
];

// Tall, wide and large tensors, with maps narrower than a legend, long values, and a size of four digits.
it('no part of a legend overlaps another, and no size is cut off, in a window of each size', async () => {
  const { page, troubles } = await openPage(stage, { viewport: WINDOWS[0] ?? null, reducedMotion: 'reduce' }, '#h=5');
  await page.locator('.panel--dx').waitFor();
  for (const problem of [
    'h=99&w=7',
    'h=7&w=99&x=random:1',
    'h=1024&w=4&x=ones',
    'h=64&w=64&kh=5&padding=2&stride=2&k=32',
    'v=2&n=2&c=3&k=32&h=9&w=9&kh=3&kw=3&padding=1&x=random:1&b=ones&dy=mse:0',
    'h=256&w=256&c=3&k=3&groups=3&kh=3&padding=same&x=sample:landscape&weights=filter:sobel_x&dy=mse:0',
  ]) {
    await page.setViewportSize(WINDOWS[0] ?? { width: 0, height: 0 });
    await page.evaluate((hash) => {
      location.hash = hash;
    }, problem);
    const height = page.getByRole('spinbutton', { name: 'height', exact: true });
    await expect.poll(() => height.inputValue()).toBe(/h=(\d+)/.exec(problem)?.[1]);
    for (const viewport of WINDOWS) {
      await page.setViewportSize(viewport);
      await page.locator('.panel--dx canvas').first().waitFor();
      await settledPanels(page);
      const name = `${problem}, ${viewport.width} x ${viewport.height}`;
      expect(await collisions(page), name).toEqual([]);
      if (viewport === WINDOWS[0]) expect(await cutOff(page), name).toEqual([]);
    }
  }
  expect(troubles).toEqual([]);
  await page.context().close();
});
