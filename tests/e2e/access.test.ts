import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { cellAt, grid } from './support/grids';
import { openMode } from './support/modes';
import { THOROUGH } from './support/thorough';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeWindow {
  readonly axe: {
    run(
      scope: string,
      options: object,
    ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
  };
}

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => closeStage(stage));

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DEVICES: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desktop, light', { colorScheme: 'light' }],
  ['phone, dark', { ...PHONE, colorScheme: 'dark' }],
  // Each shape of the page and each theme has been looked at then.
  ...(THOROUGH
    ? ([
        ['desktop, dark', { colorScheme: 'dark' }],
        ['phone, light', { ...PHONE, colorScheme: 'light' }],
      ] as const)
    : []),
];

/** What axe-core finds serious. */
async function seriousIn(page: Page, scope = 'html'): Promise<string[]> {
  // Not as an element: the page's policy takes no script from elsewhere.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (part) => (window as unknown as AxeWindow).axe.run(part, { resultTypes: ['violations'] }),
    scope,
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

const overhang = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** The modes, and the choices in each that change the picture. */
const MODES: readonly (readonly [string, readonly string[]])[] = [
  ['Step by step', ['dx by gather']],
  ['dx', ['full convolution', 'phase split']],
  ['dw and db', ['one matrix product', 'x convolved with dy', 'grouped convolution', 'db']],
  ['Lowering', ['1 Unroll x', '2 Three products', '3 Fold back']],
  ['Matrix C', ['dx = Cᵀ dy']],
  ['Paint dy', ['painted', 'squared error']],
  ['Gradient check', ['dw']],
  ['Geometry', ['dilation']],
  ['Learn', ['learn x']],
];

describe.each(DEVICES)('%s', (_name, device) => {
  it('has nothing serious for axe-core in any mode, and nothing that sticks out', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=5&stride=2&padding=1&n=2&c=2&k=2&x=random:1');
    await grid(page, 'dx[n=0, c=0]').waitFor();
    for (const [tab, choices] of MODES) {
      const view = await openMode(page, tab);
      // The last one of a mode shows the most.
      for (const choice of THOROUGH ? choices : choices.slice(-1)) {
        await view.getByRole('radio', { name: choice, exact: true }).check();
        await page.getByRole('progressbar').waitFor({ state: 'hidden' });
        expect(await seriousIn(page, '.stage'), `${tab}: ${choice}`).toEqual([]);
        expect(await overhang(page), `${tab}: ${choice}`).toBeLessThanOrEqual(0);
      }
    }
    await page.context().close();
    expect(troubles).toEqual([]);
  }, 180_000);

  it('never scrolls sideways, however many channels and filters there are', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=40&w=40&c=16&k=32&b=ones');
    await grid(page, 'dx[n=0, c=0]').waitFor();
    for (const [tab] of MODES) {
      await openMode(page, tab);
      await page.getByRole('progressbar').waitFor({ state: 'hidden' });
      expect(await overhang(page), tab).toBeLessThanOrEqual(0);
    }
    await page.context().close();
    expect(troubles).toEqual([]);
  }, 60_000);

  it('has nothing serious for axe-core, with a cell explained, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device);
    await grid(page, 'dx').waitFor();
    await cellAt(page, 'y', 0, 0).click();
    expect(await seriousIn(page)).toEqual([]);
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.waitFor();
    expect(await seriousIn(page, '.keys')).toEqual([]);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    await page.keyboard.press('t');
    await page.getByText(/The link has \d+ characters/).waitFor();
    expect(await seriousIn(page, '.class-sheet')).toEqual([]);
    await page.keyboard.press('Escape');
    // Esc closed the list of keys; the cell is still kept.
    await page.getByRole('button', { name: 'Release this cell' }).waitFor();
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('has nothing serious for axe-core where races are, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=6&kh=3&c=2&k=3&race=this.y');
    await page.getByRole('button', { name: 'Start the race' }).click();
    await page.getByText('The race is over.').waitFor({ timeout: 30_000 });
    await page.getByText('How it is measured').click();
    expect(await seriousIn(page, '.race')).toEqual([]);
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('has nothing serious for axe-core where two problems are compared, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=5&kh=3&with=h%3D5%26kh%3D3%26stride%3D2');
    await page.getByText('other sizes').first().waitFor();
    expect(await seriousIn(page, '.compare__head')).toEqual([]);
    await page.getByRole('button', { name: 'Another one' }).click();
    expect(await seriousIn(page, '.compare__beginning')).toEqual([]);
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('has nothing serious for axe-core in code and LaTeX, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=5&kh=3&groups=1&cell=dx.5&side=code');
    for (const language of ['C++', 'NumPy', 'TensorFlow']) {
      await page.getByRole('radio', { name: language }).check({ force: true });
      await page
        .getByRole('region', { name: `${language} code for dx` })
        .locator('[aria-current=step]')
        .waitFor();
      expect(await seriousIn(page, '.code'), language).toEqual([]);
      expect(await overhang(page), language).toBeLessThanOrEqual(0);
    }
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await page.getByRole('textbox', { name: 'LaTeX' }).waitFor();
    expect(await seriousIn(page, '.latex')).toEqual([]);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('has nothing serious for axe-core among the lessons, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=4&kh=3&cell=dx.5&side=lesson&lesson=gather.1');
    const shown = async (what: string) => {
      await page.locator(what).waitFor();
      expect(await seriousIn(page, what), what).toEqual([]);
      expect(await overhang(page), what).toBeLessThanOrEqual(0);
    };
    await shown('.lesson');
    await page.getByRole('button', { name: 'Leave the lesson' }).click();
    await shown('.catalogue');
    await page.getByRole('button', { name: 'Where the formulas come from' }).click();
    await shown('.derivation');
    await page.getByRole('button', { name: 'Back to the lessons' }).click();
    await page.getByRole('button', { name: 'Spot the bug' }).click();
    await page.locator('.spot__name').waitFor();
    await page.getByRole('button', { name: 'Tell me' }).click();
    await page.locator('.spot__told strong').waitFor();
    await shown('.spot');
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});
