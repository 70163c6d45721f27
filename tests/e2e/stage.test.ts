import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { linkTo, WALKED } from './support/notebook';
import { THOROUGH } from './support/thorough';

// The stage by its geometry: every panel whole and apart from the others, nothing that moves when the mode changes.

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => closeStage(stage));

const PROBLEMS: readonly (readonly [string, string])[] = [
  ['the opening problem', ''],
  ['5 x 5, 3 x 3, stride 1', '#h=5&w=5&kernel=3&stride=1&padding=0'],
  ...WALKED.filter(({ x_shape }) => x_shape[3] === 1).map((one) => [`notebook ${one.name}`, linkTo(one)] as const),
  ['c=3 k=4 n=2', '#n=2&c=3&k=4&h=7&w=7&kernel=3&stride=2&padding=1'],
];

/** The smaller one is the harder one. */
const VIEWPORTS = [{ width: 1280, height: 720 }, ...(THOROUGH ? [{ width: 1440, height: 900 }] : [])];

/** The modes, and the choices in each that show other panels. */
const MODES: readonly (readonly [string, readonly string[]])[] = [
  ['Board', []],
  [
    'Step by step',
    ['y, window by window', 'dx by scatter', 'dx by col2im', 'dx by gather', 'dw adds up', 'db adds up'],
  ],
  ['dx', ['scatter', 'gather', 'full convolution', 'phase split']],
  ['dw and db', ['one matrix product', 'x convolved with dy', 'grouped convolution', 'db']],
  ['Lowering', ['1 Unroll x', '2 Three products', '3 Fold back']],
  ['Matrix C', ['dx = Cᵀ dy', 'y = C x']],
  ['Paint dy', ['squared error', 'ones']],
  ['Gradient check', ['dx', 'dw', 'db']],
  ['Geometry', []],
  ['Learn', ['learn w', 'learn x']],
];

interface Shown {
  /** The grid's accessible name, and the tensor of its panel. */
  readonly name: string;
  readonly tensor: string;
  readonly panel: Rect;
  readonly grid: Rect;
  readonly cell: number;
}

interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What stands on the stage, once it is quiet: two frames without a change. */
async function shown(page: Page): Promise<Shown[]> {
  await page.getByRole('progressbar').waitFor({ state: 'hidden' });
  return page.evaluate(async () => {
    const read = () =>
      [...document.querySelectorAll<HTMLElement>('.canvas .panel')].map((panel) => {
        const rect = (element: Element) => {
          const { left, top, right, bottom } = element.getBoundingClientRect();
          return { left, top, right, bottom };
        };
        const grid = panel.querySelector('.grid-box') ?? panel;
        const role = panel.querySelector('[role=grid]');
        const cols = Number(role?.getAttribute('aria-colcount') ?? 1);
        return {
          name: role?.getAttribute('aria-label') ?? '',
          tensor: /panel--(\w+)/.exec(panel.className)?.[1] ?? '',
          panel: rect(panel),
          grid: rect(grid),
          cell: grid.getBoundingClientRect().width / cols,
        };
      });
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    let [before, now] = ['', JSON.stringify(read())];
    for (let quiet = 0; quiet < 3 || now === '[]'; quiet = before === now ? quiet + 1 : 0) {
      await frame();
      [before, now] = [now, JSON.stringify(read())];
    }
    return read();
  });
}

const inside = ({ left, top, right, bottom }: Rect, { width, height }: { width: number; height: number }) =>
  left >= -0.5 && top >= -0.5 && right <= width + 0.5 && bottom <= height + 0.5;

const apart = (a: Rect, b: Rect) =>
  a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;

/** Grids with the same name are the same tensor: where its first cell stands, and how large it is. */
const SHARED = /^(x|w|b|y|dx|dw|db|dy)(\[.*\])?$/;

/** Everything that is wrong with what one sees now; `seen` keeps where each tensor was seen first. */
async function faults(page: Page, where: string, seen: Map<string, Shown>): Promise<string[]> {
  const viewport = page.viewportSize() ?? { width: 0, height: 0 };
  const panels = await shown(page);
  const wrong: string[] = panels.length === 0 ? [`${where}: nothing is shown`] : [];
  const room = await page.locator('.stage__room').evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  });
  for (const one of panels) {
    const { panel, grid } = one;
    if (!inside(panel, viewport)) wrong.push(`${where}: ${one.name} reaches out of the window`);
    if (panel.bottom > room.bottom + 0.5 || panel.right > room.right + 0.5) {
      wrong.push(`${where}: ${one.name} reaches out of the stage, to ${panel.right}, ${panel.bottom}`);
    }
    if (grid.bottom > panel.bottom + 0.5 || grid.right > panel.right + 0.5) {
      wrong.push(`${where}: the grid ${one.name} reaches out of its panel`);
    }
    for (const other of panels) {
      if (other !== one && panels.indexOf(one) < panels.indexOf(other) && !apart(panel, other.panel)) {
        wrong.push(`${where}: ${one.name} and ${other.name} overlap`);
      }
    }
    if (!SHARED.test(one.name)) continue;
    const first = seen.get(one.tensor) ?? one;
    seen.set(one.tensor, first);
    const moved = Math.max(Math.abs(first.grid.left - grid.left), Math.abs(first.grid.top - grid.top));
    if (moved > 1) wrong.push(`${where}: ${one.tensor} has moved by ${moved} px`);
    if (Math.abs(first.cell - one.cell) > 0.01) wrong.push(`${where}: ${one.tensor}'s cells are ${one.cell} px now`);
  }
  const scrolls = await page.evaluate(() => {
    const { scrollHeight, scrollWidth, clientHeight, clientWidth } = document.documentElement;
    return scrollHeight > clientHeight || scrollWidth > clientWidth;
  });
  if (scrolls) wrong.push(`${where}: the page scrolls`);
  return wrong;
}

describe.each(VIEWPORTS.map((viewport) => [`${viewport.width} x ${viewport.height}`, viewport] as const))(
  'the stage at %s',
  (_size, viewport) => {
    it.each(PROBLEMS)('shows every panel whole and moves none, with %s', async (_name, hash) => {
      const { page, troubles } = await openPage(stage, { viewport, reducedMotion: 'reduce' }, hash);
      const seen = new Map<string, Shown>();
      const wrong: string[] = [];
      for (const [mode, choices] of MODES) {
        await page.getByRole('tab', { name: mode, exact: true }).click();
        wrong.push(...(await faults(page, mode, seen)));
        for (const choice of choices) {
          await page.getByRole('main').getByRole('radio', { name: choice, exact: true }).check();
          wrong.push(...(await faults(page, `${mode}, ${choice}`, seen)));
        }
      }
      expect(wrong).toEqual([]);
      // The six that the modes share, and the bias' gradient.
      expect([...seen.keys()]).toEqual(expect.arrayContaining(['x', 'w', 'y', 'dx', 'dw', 'db', 'dy']));
      await page.context().close();
      expect(troubles).toEqual([]);
    });
  },
);
