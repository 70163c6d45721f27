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
