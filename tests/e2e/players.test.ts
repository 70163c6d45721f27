import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenPage, openPage, useStage } from './support/browser';
import { MODES, openMode } from './support/modes';

// The players and the questions of the views: their layout. What they say and do is in tests/web/page.

const stage = useStage();
let open: OpenPage;

beforeAll(async () => {
  open = await openPage(stage, { viewport: { width: 1280, height: 720 } }, '#h=5&kh=3&dy=mse:0');
  await open.page.locator('main .panel--x').first().waitFor();
});
afterAll(async () => {
  await open.page.context().close();
  expect(open.troubles).toEqual([]);
});

test('the longest sentences stand whole beside the measured error, at 1280 x 720', async () => {
  const { page } = open;
  const main = await openMode(page, 'dx');
  const sentence = main.locator('.scrubber__sentence');
  for (const way of ['scatter', 'gather', 'full convolution']) {
    await main.getByRole('radio', { name: way, exact: true }).check({ force: true });
    const slider = main.getByRole('slider', { name: /^(windows|steps|positions|rows)/ });
    // The way has its own player, which comes after its answers.
    await expect
      .poll(async () => {
        await slider.press('End');
        return sentence.textContent();
      })
      .toMatch(/^Step (\d+) of \1: .*(?:dx\[4,4\]|of dx\.)/);
    await main
      .locator('.badge')
      .getByText(/^max error/)
      .waitFor();
    expect(await sentence.evaluate((element) => element.scrollHeight - element.clientHeight), way).toBeLessThanOrEqual(
      1,
    );
  }
});

/** Widths and heights of the window; the last is that of a phone. */
const WINDOWS = [
  [1440, 900],
  [1280, 720],
  [1100, 700],
  [390, 844],
] as const;

test('each view shows the question that it answers whole, in windows of every size', async () => {
  const { page } = open;
  const question = page.locator('main .stage__question');
  const questions = new Set<string>(['']);
  for (const title of MODES) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openMode(page, title);
    // That of the view before is shown until this one is loaded.
    await expect.poll(async () => questions.has((await question.textContent()) || '')).toBe(false);
    const text = (await question.textContent()) ?? '';
    expect(text).toMatch(/\?/);
    expect(text.length).toBeLessThanOrEqual(80);
    questions.add(text);
    for (const [width, height] of WINDOWS) {
      const where = `${title} at ${width} x ${height}`;
      await page.setViewportSize({ width, height });
      const place = () =>
        question.evaluate((element) => {
          scrollTo(0, 0);
          const { top, bottom } = element.getBoundingClientRect();
          return { isCut: element.scrollWidth > element.clientWidth, top, bottom };
        });
      // The page is laid out anew after the window has changed.
      const most = width < 400 ? height : 200;
      await expect
        .poll(async () => (await question.count()) === 1 && (await place()).bottom < most, { message: where })
        .toBe(true);
      const { isCut, top } = await place();
      expect(isCut, `${where} is cut`).toBe(false);
      expect(top, where).toBeGreaterThan(0);
    }
  }
});
