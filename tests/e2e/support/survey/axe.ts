import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The size of targets is off by default. Cells are as large as the data allow: a pixel of an image is a target, too. The
 * target of a box in a label is the label.
 */
const TARGETS = `;axe.configure({ rules: [
  { id: 'target-size', enabled: true, selector: '*:not([role=gridcell], label input)' },
] })`;

interface AxeWindow {
  readonly axe: {
    run(
      scope: string,
      options: object,
    ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
  };
}

/** Serious findings of axe-core: names, roles, contrast of texts, targets below the 24 px of WCAG 2.2; and headings out of order. */
export async function seriousIn(page: Page, scope: string): Promise<string[]> {
  // Evaluated, not added as a script element: the policy of the page blocks external scripts.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe + TARGETS);
  const { violations } = await page.evaluate(
    (part) => (window as unknown as AxeWindow).axe.run(part, { resultTypes: ['violations'] }),
    scope,
  );
  const serious = violations.filter(
    ({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'heading-order',
  );
  return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Borders of buttons and fields with a contrast to the page below 3 : 1, and those that are missing. */
export const faintBorders = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const luminance = (css: string) => {
      const [r = 0, g = 0, b = 0] = (css.match(/[\d.]+/g) ?? []).map((part) => {
        const c = Number(part) / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const paper = luminance(getComputedStyle(document.documentElement).backgroundColor);
    return ['.toolbar .button--plain', '.number-field__box', '.select__box'].flatMap((selector) => {
      const element = document.querySelector(selector);
      const border = luminance(element ? getComputedStyle(element).borderTopColor : 'rgb(0 0 0)');
      const ratio = element ? Math.max(paper, border) / Math.min(paper, border) : 0;
      return ratio >= 3 ? [] : [`${selector}: ${ratio.toFixed(2)} : 1`];
    });
  });
