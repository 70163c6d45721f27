import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenPage, openPage, useStage } from './support/browser';
import { seriousIn } from './support/survey/axe';
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
  ['figures', '.canvas .number-grid__row', { 'font-size': '10px' }, /figures of 10 px/],
  ['cut off', '.side', { width: '60px', 'overflow-x': 'auto' }, /side.*: \d+ in \d+/],
  ['cut off', '.views > .tabs__list', { width: '60px' }, /tabs__list.*: \d+ in 60/],
  ['titles', '.figure__subtitle', { width: '9px', overflow: 'hidden' }, /figure__subtitle.*: \d+ in 9/],
  ['out of card', '.zoom__button', far(-900), /./],
  ['out of card', '.figure__size', far(900), /×/],
  ['out of card', '.figure__size', far(0, 24), /×/],
  ['window', '#app', far(1500), /outside/],
  ['window', '.canvas .panel--w .grid-box', { display: 'none' }, /empty/],
  ['reach', '.canvas .panel--x', far(-2000), /is cut/],
  ['reach', '.canvas .panel--y', { transform: 'translateX(-300px) scale(3)' }, /overlaps/],
  ['first cell', '.canvas', { 'margin-top': '400px' }, /the first cell is at \d+/],
  ['board', '.canvas .panel--dy', { transform: 'translateY(200px)' }, /board: dy/],
  ['board', '.dock', { position: 'fixed', inset: '300px 0 0' }, /board: dx/],
  [
    'dock',
    '.scrubber__sentence',
    { height: '8px', 'min-height': '0', overflow: 'hidden' },
    /scrubber__sentence.*: Press/,
  ],
  ['dock', '.dock', { transform: 'translateY(40px)' }, /dock: dock/],
  ['spacing', '.masthead', { 'flex-wrap': 'nowrap', width: '700px', overflow: 'hidden' }, /spacing: DIV tabs__list/],
  ['spacing', '.scrubber__slider', { flex: '0 0 12px', 'min-width': '0' }, /INPUT scrubber__slider/],
  ['borders', '.number-field__box', { 'border-color': 'var(--paper, #fff)' }, /number-field__box: 1\.\d+ : 1/],
  ['heard', '.spoken', { display: 'none' }, /an edit is silent/],
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

it('figures rejects small products', async () => {
  const { page } = await openPage(stage, { reducedMotion: 'reduce' }, '#h=5&kh=3&cell=y.4');
  await page.locator('.canvas .products').waitFor();
  const inspect = inspector(page, ['figures']);
  expect(await inspect('before')).toEqual([]);
  await plant(page, '.canvas .products', { 'font-size': '10px' });
  expect(await inspect('Overview')).toEqual(['Overview: figures: products of 10px']);
  await page.context().close();
});

it('the findings of axe include a heading that is not the next level', async () => {
  const { page } = open;
  expect(await seriousIn(page, 'html')).toEqual([]);
  const setLevel = (level: string) =>
    page
      .locator('.side h2')
      .first()
      .evaluate((heading, to) => heading.setAttribute('aria-level', to), level);
  await setLevel('5');
  const found = await seriousIn(page, 'html');
  await setLevel('2');
  expect(found.join('\n')).toMatch(/^heading-order: <h2 .*aria-level="5"/);
  expect(await seriousIn(page, 'html')).toEqual([]);
});

it('figures rejects a cell without figure that has no lens', async () => {
  const { page } = open;
  const inspect = inspector(page, ['figures']);
  expect(await inspect('before')).toEqual([]);
  const cell = page.locator('.canvas .panel--w .cell--data').first();
  const setFigure = (to: string) =>
    cell.evaluate((node, text) => {
      const figure = node.firstChild as Text;
      const before = figure.data;
      figure.data = text;
      return before;
    }, to);
  const figure = await setFigure('');
  const found = await inspect('Overview');
  await setFigure(figure);
  expect(found.join('\n')).toMatch(/w.*: 1 cells without figure and lens/);
});

// The middle column of w is 0, and all cells of dy but one.
const SPARSE = '#h=5&kh=3&weights=filter:sobel_x&dy=one_hot:4';
it.each([
  ['dx&dx.way=scatter', 'dx&dx.way=scatter&dx.t=1', /dy\[0,0\] is 0/],
  ['dx', 'dx&dx.t=25', /dx\[4,4\] is 0/],
  ['dw&dw.way=direct', 'dw&dw.way=direct&dw.accumulated=9', /dy\[2,2\] is 0/],
  ['lowering&lowering.part=fold', 'lowering&lowering.part=fold&lowering.cell=0', /about a 0/],
  [
    'gradient-check&gradient-check.parameter=x',
    'gradient-check&gradient-check.parameter=x&gradient-check.index=0',
    /about a 0/,
  ],
] as const)('telling accepts the opening of %s and rejects a step or cell with a 0', async (opening, zero, message) => {
  const { page } = open;
  const inspect = inspector(page, ['telling']);
  const findings: string[] = [];
  for (const mode of [opening, zero]) {
    await page.goto(`${stage.site.url}${SPARSE}&mode=${mode}`);
    await page.reload();
    await page.locator('main .panel').first().waitFor();
    findings.push((await inspect(mode)).join('\n'));
  }
  expect(findings[0]).toBe('');
  expect(findings[1]).toMatch(message);
});
