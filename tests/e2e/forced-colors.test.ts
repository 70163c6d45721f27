import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { cellAt, grid } from './support/grids';
import { openMode } from './support/modes';

const stage = useStage();

const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property);

const PADDED = '#h=5&kh=3&padding=1&x=ramp';

// Forced colors (Windows contrast themes) replace the colors of the page: information in colors must stay.
describe('with forced colors', () => {
  it('keeps the colors of cells, and the dots of the padding', async () => {
    const [plain, forced] = await Promise.all(
      (['none', 'active'] as const).map(async (forcedColors) => {
        const { page } = await openPage(stage, { forcedColors, colorScheme: 'light' }, PADDED);
        const x = grid(page, 'x');
        await cellAt(page, 'x', 4, 4).waitFor();
        const bar = page.locator('.color-scale__bar');
        await bar.waitFor();
        const found = {
          cell: await styleOf(cellAt(page, 'x', 4, 4), 'background-color'),
          figure: await styleOf(cellAt(page, 'x', 4, 4), 'color'),
          dots: await styleOf(x.locator('.cell--padding').first(), 'background-image'),
          ground: await styleOf(x.locator('.cell--padding').first(), 'background-color'),
          scale: await styleOf(bar, 'background-image'),
        };
        await page.context().close();
        return found;
      }),
    );
    expect(forced).toEqual(plain);
    expect(forced?.dots).toContain('radial-gradient');
  });

  it('shows the selected option of a switch, and the selected view', async () => {
    const { page, troubles } = await openPage(stage, { forcedColors: 'active', colorScheme: 'light' }, PADDED);
    const main = await openMode(page, 'im2col');
    const group = main
      .getByRole('group')
      .filter({ has: page.getByRole('radio') })
      .first();
    const taken = group.locator('input:checked + span').first();
    const other = group.locator('input:not(:checked) + span').first();
    await taken.waitFor();
    expect(await styleOf(taken, 'background-color')).not.toBe(await styleOf(other, 'background-color'));
    const [here, there] = [
      page.locator('.views').getByRole('tab', { selected: true }).first(),
      page.locator('.views').getByRole('tab', { selected: false }).first(),
    ];
    expect(await styleOf(here, 'border-bottom-color')).not.toBe(await styleOf(there, 'border-bottom-color'));
    expect(troubles).toEqual([]);
    await page.context().close();
  });
});

/** The contrast of two colors in WCAG 2.2, from the definition of relative luminance. */
function contrast(...colors: readonly [string, string]): number {
  const [a = 0, b = 0] = colors.map((css) => {
    const [red = 0, green = 0, blue = 0] = (css.match(/\d+/g) ?? []).map((part) => {
      const c = Number(part) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  });
  return Math.max(a, b) / Math.min(a, b);
}

// The reader asks the system for more contrast.
it.each(['light', 'dark'] as const)(
  'more contrast: lines of 3 : 1 and soft text in ink, in the %s theme',
  async (colorScheme) => {
    const { page } = await openPage(stage, { contrast: 'more', colorScheme }, PADDED);
    await cellAt(page, 'x', 4, 4).waitFor();
    const paper = await styleOf(page.locator('html'), 'background-color');
    const lines = async () => [
      contrast(await styleOf(page.locator('.masthead'), 'border-bottom-color'), paper),
      contrast(/rgb\([^)]*\)/.exec(await styleOf(cellAt(page, 'x', 0, 0), 'box-shadow'))?.[0] ?? paper, paper),
    ];
    await expect.poll(async () => (await lines()).every((ratio) => ratio >= 3)).toBe(true);
    const [soft, ink] = [page.locator('.caption').first(), page.locator('html')];
    expect(await styleOf(soft, 'color')).toBe(await styleOf(ink, 'color'));
    await page.context().close();
  },
);

it.each([
  ['more', 3, 21],
  ['no-preference', 1, 3],
] as const)('contrast %s: the lines of a map follow those of cells', async (contrastWanted, least, most) => {
  // Zeros in cells that are too small for figures: whatever is not paper is a line.
  const { page } = await openPage(stage, { contrast: contrastWanted, colorScheme: 'light' }, '#h=20&kh=3&x=constant:0');
  const map = page.locator('.panel--x canvas').first();
  await map.waitFor();
  const colors = () =>
    map.evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? new ImageData(1, 1);
      const pixels = Array.from(
        { length: data.length / 4 },
        (_, i) => `rgb(${data.subarray(4 * i, 4 * i + 3).join()})`,
      );
      return [...new Set(pixels)];
    });
  const paper = await styleOf(page.locator('html'), 'background-color');
  const strongest = async () => Math.max(...(await colors()).map((color) => contrast(color, paper)));
  await expect.poll(strongest).toBeGreaterThanOrEqual(least);
  expect(await strongest()).toBeLessThan(most);
  await page.context().close();
});
