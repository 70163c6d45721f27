import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { cellAt, grid } from './support/grids';
import { openMode } from './support/modes';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => closeStage(stage));

const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property);

const PADDED = '#h=5&kh=3&padding=1&x=ramp';

// A system with colours of its own (Windows' contrast themes) replaces those of a page: what says something must stay.
describe('with forced colours', () => {
  it('cells keep the colours of their values, and the padding its dots', async () => {
    const [plain, forced] = await Promise.all(
      (['none', 'active'] as const).map(async (forcedColors) => {
        const { page } = await openPage(stage, { forcedColors, colorScheme: 'light' }, PADDED);
        const x = grid(page, 'x');
        await cellAt(page, 'x', 4, 4).waitFor();
        const bar = page.locator('.panel--x .legend__bar');
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

  it('a switch shows which of its choices is taken, and the row of modes which mode', async () => {
    const { page, troubles } = await openPage(stage, { forcedColors: 'active', colorScheme: 'light' }, PADDED);
    const main = await openMode(page, 'Lowering');
    const group = main
      .getByRole('group')
      .filter({ has: page.getByRole('radio') })
      .first();
    const taken = group.locator('input:checked + span').first();
    const other = group.locator('input:not(:checked) + span').first();
    await taken.waitFor();
    expect(await styleOf(taken, 'background-color')).not.toBe(await styleOf(other, 'background-color'));
    const [here, there] = [
      main.getByRole('tab', { selected: true }),
      main.getByRole('tab', { selected: false }).first(),
    ];
    expect(await styleOf(here, 'border-bottom-color')).not.toBe(await styleOf(there, 'border-bottom-color'));
    expect(troubles).toEqual([]);
    await page.context().close();
  });
});
