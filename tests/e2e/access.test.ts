import { createRequire } from 'node:module';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { cellAt, grid } from './support/grids';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeWindow {
  readonly axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
}

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => closeStage(stage));

const DEVICES: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desktop, light', { colorScheme: 'light' }],
  ['desktop, dark', { colorScheme: 'dark' }],
  ['phone, light', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'light' }],
  ['phone, dark', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' }],
];

describe.each(DEVICES)('%s', (_name, device) => {
  it('has nothing serious for axe-core, with a cell explained, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device);
    await grid(page, 'dx').waitFor();
    await cellAt(page, 'y', 0, 0).click();
    await page.addScriptTag({ path: axePath });
    const { violations } = await page.evaluate(() => (window as unknown as AxeWindow).axe.run());
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overhang).toBeLessThanOrEqual(0);
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});
