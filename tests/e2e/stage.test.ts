import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { linkTo, TESTED_CASES } from './support/notebook';
import { THOROUGH } from './support/thorough';

// The layout of the stage: panels are whole, do not overlap, and do not move when the view changes.

const stage = useStage();

const PROBLEMS: readonly (readonly [string, string])[] = [
  ['the opening problem', ''],
  ['5 x 5, 3 x 3, stride 1', '#h=5&w=5&kernel=3&stride=1&padding=0'],
  ...TESTED_CASES.filter(({ x_shape }) => x_shape[3] === 1).map(
    (one) => [`notebook ${one.name}`, linkTo(one)] as const,
  ),
  ['c=3 k=4 n=2', '#n=2&c=3&k=4&h=7&w=7&kernel=3&stride=2&padding=1'],
];

/** The smaller one is the harder case. */
const VIEWPORTS = [{ width: 1280, height: 720 }, ...(THOROUGH ? [{ width: 1440, height: 900 }] : [])];

/** The views, and the choices in each that change its panels. */
const MODES: readonly (readonly [string, readonly string[]])[] = [
  ['Overview', []],
  [
    'Step by step',
    ['y, window by window', 'dx by scatter', 'dx by col2im', 'dx by gather', 'dw adds up', 'db adds up'],
  ],
  ['dx', ['scatter', 'gather', 'full convolution', 'phase split']],
  ['dw & db', ['one matrix product', 'x convolved with dy', 'grouped convolution', 'db']],
  ['im2col', ['1 im2col', '2 Three products', '3 col2im']],
  ['Matrix', ['dx = Cᵀ dy', 'y = C x']],
  ['Paint dy', ['squared error', 'ones']],
  ['Gradient check', ['dx', 'dw', 'db']],
  ['Sizes', []],
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

/** The panels on the stage after two frames without a change. */
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

/** Grids of a tensor or of one of its slices. */
const SHARED = /^(x|w|b|y|dx|dw|db|dy)(\[.*\])?$/;

/** All faults of the visible layout; `seen` stores the first position of each tensor. */
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
    if (!inside(panel, viewport)) wrong.push(`${where}: ${one.name} is cut off by the window`);
    if (panel.bottom > room.bottom + 0.5 || panel.right > room.right + 0.5) {
      wrong.push(`${where}: ${one.name} is cut off by the stage, at ${panel.right}, ${panel.bottom}`);
    }
    if (grid.bottom > panel.bottom + 0.5 || grid.right > panel.right + 0.5) {
      wrong.push(`${where}: the grid ${one.name} is larger than its panel`);
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
    it.each(PROBLEMS)('shows every panel whole and in place, with %s', async (_name, hash) => {
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
      // The six tensors that the views share, and db.
      expect([...seen.keys()]).toEqual(expect.arrayContaining(['x', 'w', 'y', 'dx', 'dw', 'db', 'dy']));
      await page.context().close();
      expect(troubles).toEqual([]);
    });
  },
);

/** Texts less than a pixel from the border of their cell, with their grid. */
const crowded = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.cell')].flatMap((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      const text = range.getBoundingClientRect();
      const { left, right, width } = cell.getBoundingClientRect();
      // The border is the last pixel of a cell.
      const fine = !cell.textContent || (text.left >= left + 1 && text.right <= right - 2);
      return fine ? [] : [`${cell.closest('[role=grid]')?.ariaLabel}: ${cell.textContent} in ${width}`];
    }),
  );

const CROWDED = '#v=2&h=5&w=5&kh=3&kw=3&x=corner&weights=filter:sobel_x&dy=mse:0';

it.each([
  ['a corner, squared error', CROWDED],
  ['stride 2', '#v=2&h=7&w=7&kh=3&kw=3&stride=2&padding=same'],
  ['channels', '#v=2&h=7&w=7&c=3&k=4&kh=3&kw=3&padding=same&x=random:3&weights=random:5'],
  ['an image', '#v=2&h=256&w=256&kh=3&kw=3&padding=same&x=sample:portrait&weights=filter:sobel_x&dy=mse:0'],
  ['groups', '#v=2&n=2&h=8&w=8&c=4&k=4&groups=2&kh=3&kw=3&padding=same&x=random:3&weights=random:5'],
])('no text touches the border of its cell, with %s', async (_name, hash) => {
  const { page } = await openPage(
    stage,
    { viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce' },
    `${hash}&learn.t=100`,
  );
  for (const [mode] of MODES) {
    await page.getByRole('tab', { name: mode, exact: true }).click();
    await shown(page);
    expect(await crowded(page), mode).toEqual([]);
  }
  await page.context().close();
});
