import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_LINK, openPage, useStage } from './support/browser';
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

const stage = useStage();

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DEVICES: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desktop, light', { colorScheme: 'light' }],
  ['phone, dark', { ...PHONE, colorScheme: 'dark' }],
  // Covers every layout and theme of the page.
  ...(THOROUGH
    ? ([
        ['desktop, dark', { colorScheme: 'dark' }],
        ['phone, light', { ...PHONE, colorScheme: 'light' }],
      ] as const)
    : []),
];

/** Serious findings of axe-core. */
async function seriousIn(page: Page, scope = 'html'): Promise<string[]> {
  // Evaluated, not added as a script element: the policy of the page blocks external scripts.
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

/** The views, and the choices in each that change the figure. */
const MODES: readonly (readonly [string, readonly string[]])[] = [
  ['Step by step', ['dx by gather']],
  ['dx', ['full convolution', 'phase split']],
  ['dw & db', ['one matrix product', 'x convolved with dy', 'grouped convolution', 'db']],
  ['im2col', ['1 im2col', '2 Three products', '3 col2im']],
  ['Matrix', ['dx = Cᵀ dy']],
  ['Paint dy', ['painted', 'squared error']],
  ['Gradient check', ['dw']],
  ['Sizes', ['dilation']],
  ['Learn', ['learn x']],
];

describe.each(DEVICES)('%s', (_name, device) => {
  it('has no serious axe-core findings and no overflow in any view', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=5&stride=2&padding=1&n=2&c=2&k=2&x=random:1');
    await grid(page, 'dx[n=0, c=0]').waitFor();
    for (const [tab, choices] of MODES) {
      const view = await openMode(page, tab);
      // The last choice of a view shows the most.
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

  it('never scrolls sideways, for any number of channels and filters', async () => {
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

  it('has no serious axe-core findings with an explained cell, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device);
    await grid(page, 'dx').waitFor();
    await cellAt(page, 'y', 0, 0).click();
    expect(await seriousIn(page)).toEqual([]);
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.waitFor();
    expect(await seriousIn(page, '.keys')).toEqual([]);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    await page.keyboard.press('t');
    await page.getByText(/The link has \d+ characters/).waitFor();
    expect(await seriousIn(page, '.class-sheet')).toEqual([]);
    await page.keyboard.press('Escape');
    // Esc closed the list of keys; the cell is still kept.
    await page.getByRole('button', { name: 'Unpin this cell' }).waitFor();
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('has no serious axe-core findings in the race, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=6&kh=3&c=2&k=3&race=this.y');
    await page.getByRole('button', { name: 'Start race' }).click();
    await page.getByText('Race finished.').waitFor({ timeout: 30_000 });
    await page.getByText('How it is measured').click();
    expect(await seriousIn(page, '.race')).toEqual([]);
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('has no serious axe-core findings when comparing two problems, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=5&kh=3&with=h%3D5%26kh%3D3%26stride%3D2');
    await page.getByText('different sizes').first().waitFor();
    expect(await seriousIn(page, '.compare__head')).toEqual([]);
    await page.getByRole('button', { name: 'Choose another' }).click();
    expect(await seriousIn(page, '.compare__beginning')).toEqual([]);
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('has no serious axe-core findings in code and LaTeX, and never scrolls sideways', async () => {
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

  it('has no serious axe-core findings in the lessons, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=4&kh=3&cell=dx.5&side=lesson&lesson=gather.1');
    const shown = async (what: string) => {
      await page.locator(what).waitFor();
      expect(await seriousIn(page, what), what).toEqual([]);
      expect(await overhang(page), what).toBeLessThanOrEqual(0);
    };
    await shown('.lesson');
    await page.getByRole('button', { name: 'Leave lesson' }).click();
    await shown('.catalogue');
    await page.getByRole('button', { name: 'Derivation of the formulas' }).click();
    await shown('.derivation');
    await page.getByRole('button', { name: 'Back to the lessons' }).click();
    await page.getByRole('button', { name: 'Spot the bug' }).click();
    await page.locator('.spot__name').waitFor();
    await page.getByRole('button', { name: 'Reveal' }).click();
    await page.locator('.spot__told strong').waitFor();
    await shown('.spot');
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

it.each(['light', 'dark'] as const)(
  'borders of buttons and fields have a contrast of 3 : 1 to the page (%s)',
  async (colorScheme) => {
    const { page } = await openPage(stage, { colorScheme }, NO_LINK);
    await page.getByRole('spinbutton', { name: 'height', exact: true }).waitFor();
    const ratios = await page.evaluate(() => {
      const luminance = (css: string) => {
        const [r = 0, g = 0, b = 0] = (css.match(/[\d.]+/g) ?? []).map((part) => {
          const c = Number(part) / 255;
          return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
      };
      const paper = luminance(getComputedStyle(document.documentElement).backgroundColor);
      return ['.toolbar .button--plain', '.number-field__box', '.select__box'].map((selector) => {
        const element = document.querySelector(selector);
        const border = luminance(element ? getComputedStyle(element).borderTopColor : 'rgb(0 0 0)');
        return element ? Math.max(paper, border) / Math.min(paper, border) : 0;
      });
    });
    for (const ratio of ratios) expect(ratio).toBeGreaterThanOrEqual(3);
    await page.context().close();
  },
);
