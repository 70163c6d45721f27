import { expect, it } from 'vitest';
import { NOTEBOOK_4, openPage, useStage } from './support/browser';
import { MODES, openMode } from './support/modes';
import { outOfWindow } from './support/out-of-window';
import { THOROUGH } from './support/thorough';

// Zoomed to 200 % and 400 %, a window of 1280 x 900 is 640 and 320 CSS pixels wide: nothing is cut off or missing.

const stage = useStage();

const SEVERAL =
  '#n=2&h=6&c=4&k=4&groups=2&kh=3&padding=same&x=random:3&weights=random:4&bias=ones&dy=mse:0&slice=n1.c2.k3';
const WINDOWS = [
  [320, 225, 4],
  [640, 450, 2],
  [320, 700, 1],
] as const;
const CASES = WINDOWS.flatMap(([width, height, zoom]) =>
  [`${NOTEBOOK_4}&cell=y.1`, SEVERAL].map((hash) => [width, height, zoom, hash] as const),
);

it.each(THOROUGH ? CASES : CASES.slice(0, 1))(
  '%i x %i pixels, zoomed %i times, forced colors, reduced motion: %s',
  { timeout: 120_000 },
  async (width, height, deviceScaleFactor, hash) => {
    const { page, troubles } = await openPage(
      stage,
      { viewport: { width, height }, deviceScaleFactor, reducedMotion: 'reduce', forcedColors: 'active' },
      hash,
    );
    await page.locator('.strip__tensor').first().waitFor();
    const faults: string[] = [];
    for (const mode of MODES) {
      const main = await openMode(page, mode);
      await main.locator('.panel, table').first().waitFor();
      const found = await page.evaluate(outOfWindow);
      if (found.wider > 0 || found.outside.length > 0 || found.empty.length > 0 || found.panels === 0) {
        faults.push(`${mode}: ${JSON.stringify(found)}`);
      }
    }
    // There is room for the stage between the sticky parts above and below.
    const room = await page.evaluate(() => {
      document.querySelector('main .panel')?.scrollIntoView({ block: 'start' });
      const { bottom } = document.querySelector('.strip')?.getBoundingClientRect() ?? { bottom: 0 };
      const { top } = document.querySelector('.phone-sheet')?.getBoundingClientRect() ?? { top: 0 };
      return top - Math.max(0, bottom);
    });
    expect(room).toBeGreaterThan(90);
    await page.context().close();
    expect(faults).toEqual([]);
    expect(troubles).toEqual([]);
  },
);
