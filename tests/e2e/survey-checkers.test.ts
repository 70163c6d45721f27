import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenPage, openPage, useStage } from './support/browser';
import { type CheckerName, inspector } from './support/survey/checkers';
import { type Panel, settledPanels } from './support/survey/layout';

// Each checker of the survey accepts the page and rejects a planted fault.

const stage = useStage();
/** Images and channels have a legend with values and zoom buttons. */
const PROBLEM = '#h=40&w=40&c=2&k=2&x=random:1&weights=random:2';
let open: OpenPage;

beforeAll(async () => {
  open = await openPage(stage, { viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce' }, PROBLEM);
  await open.page.locator('main .panel--dx canvas').first().waitFor();
});
afterAll(() => open.page.context().close());

/** Sets styles of the nth element that matches, and returns how to undo it. */
async function plant(page: Page, selector: string, styles: Readonly<Record<string, string>>, nth = 0) {
  const element = page.locator(selector).nth(nth);
  const before = await element.evaluate((node, rules) => {
    const { style } = node as HTMLElement;
    const old = style.cssText;
    for (const [name, value] of Object.entries(rules)) style.setProperty(name, value, 'important');
    return old;
  }, styles);
  return () =>
    element.evaluate((node, old) => {
      (node as HTMLElement).style.cssText = old;
    }, before);
}

const far = (x: number, y = 0) => ({ transform: `translate(${x}px, ${y}px)` });

const FAULTS: readonly (readonly [CheckerName, string, Readonly<Record<string, string>>, RegExp])[] = [
  ['overlap', '.canvas .panel--y', { transform: 'translateX(-300px) scale(3)' }, /and .* overlap/],
  ['burst', '.canvas .panel--w .grid-box', { width: '900px' }, /the grid w.* is larger than its panel/],
  ['whole', '.canvas .panel--x', far(0, 600), /x.* is cut off by the (window|stage)/],
  ['whole', 'body', { height: '3000px', overflow: 'visible' }, /the page scrolls/],
  ['moved', '.canvas .panel--x', far(0, 3), /x has moved by 3 px/],
  ['cut cells', '.canvas .panel--dw [role=grid]', { height: '50px' }, /dw.* is [\d.]+ × 50, with cells of/],
  ['legend', '.canvas .legend__ticks span', far(0, -12), /panel/],
  ['crowded', '.canvas .cell', { 'font-size': '60px' }, / in \d/],
  ['cut off', '.side', { width: '60px', 'overflow-x': 'auto' }, /side.*: \d+ in \d+/],
  ['cut off', '.scrubber__bar', { width: '60px', overflow: 'hidden' }, /scrubber__bar.*: \d+ in 60/],
  ['titles', '.figure__subtitle', { width: '9px', overflow: 'hidden' }, /figure__subtitle.*: \d+ in 9/],
  ['out of card', '.zoom__button', far(-900), /./],
  ['out of card', '.figure__size', far(900), /×/],
  ['out of card', '.figure__size', far(0, 24), /×/],
  ['window', '#app', far(1500), /outside/],
  ['window', '.canvas .panel--w .grid-box', { display: 'none' }, /empty/],
  ['reach', '.canvas .panel--x', far(-2000), /is cut/],
  ['reach', '.canvas .panel--y', { transform: 'translateX(-300px) scale(3)' }, /overlaps/],
  ['borders', '.number-field__box', { 'border-color': 'var(--paper, #fff)' }, /number-field__box: 1\.\d+ : 1/],
  ['axe', 'main .scrubber__sentence', { color: 'rgb(230 230 230)' }, /color-contrast/],
  ['axe', 'main .scrubber__bar button', { width: '6px', 'min-width': '0', padding: '0' }, /target-size/],
];

it.each(FAULTS)('%s rejects a fault of %s: %o', async (checker, selector, styles, message) => {
  const { page } = open;
  const seen = new Map<string, Panel>();
  const inspect = inspector(page, [checker], seen);
  expect(await inspect('before')).toEqual([]);
  const undo = await plant(page, selector, styles);
  const found = await inspect('Overview');
  await undo();
  await settledPanels(page);
  expect(found.join('\n')).toMatch(message);
  expect(found.every((finding) => finding.startsWith(`Overview: ${checker}: `))).toBe(true);
});
