import type { Page } from 'playwright-core';
import { computed } from '../grids';

// The layout of the stage: panels are whole, do not overlap, and do not move when the view changes.

export interface Panel {
  /** The grid's accessible name, and the tensor of its panel. */
  readonly name: string;
  readonly tensor: string;
  readonly panel: Rect;
  readonly grid: Rect;
  readonly cell: number;
  /** It has the position of its tensor. Where a matrix, a map or a curve takes the stage, tensors have one cell size with it. */
  readonly slot: boolean;
}

interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The panels on the stage after three frames without a change. */
export async function settledPanels(page: Page): Promise<readonly Panel[]> {
  await computed(page);
  return page.evaluate(async () => {
    const rect = (element: Element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return { left, top, right, bottom };
    };
    const read = () =>
      [...document.querySelectorAll<HTMLElement>('.canvas .panel')].map((panel) => {
        const grid = panel.querySelector('.grid-box') ?? panel;
        const role = panel.querySelector('[role=grid]');
        return {
          name: role?.getAttribute('aria-label') ?? '',
          tensor: /panel--(\w+)/.exec(panel.className)?.[1] ?? '',
          panel: rect(panel),
          grid: rect(grid),
          cell: grid.getBoundingClientRect().width / Number(role?.getAttribute('aria-colcount') ?? 1),
          slot: panel.closest('[data-slot=true]') !== null,
        };
      });
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    let [before, now] = ['', JSON.stringify(read())];
    const empty = () => !document.querySelector('main .panel, main table');
    // A stage that stays empty is a finding of the checkers.
    const end = performance.now() + 60_000;
    for (let quiet = 0; quiet < 3 || empty(); quiet = before === now ? quiet + 1 : 0) {
      if (performance.now() > end) break;
      await frame();
      [before, now] = [now, JSON.stringify(read())];
    }
    return read();
  });
}

const apart = (a: Rect, b: Rect) =>
  a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;

export function overlaps(panels: readonly Panel[]): string[] {
  return panels.flatMap((one, i) =>
    panels
      .slice(i + 1)
      .filter((other) => !apart(one.panel, other.panel))
      .map((other) => `${one.name} and ${other.name} overlap`),
  );
}

/** Grids that are larger than their panels. */
export function bursts(panels: readonly Panel[]): string[] {
  return panels
    .filter(({ panel, grid }) => grid.bottom > panel.bottom + 0.5 || grid.right > panel.right + 0.5)
    .map(({ name }) => `the grid ${name} is larger than its panel`);
}

/** Panels that the window or the stage cuts off, and whether the page scrolls: on a desktop, all of it is visible. */
export async function notWhole(page: Page, panels: readonly Panel[]): Promise<string[]> {
  const { room, size, scrolls } = await page.evaluate(() => {
    const { right, bottom } = document.querySelector('.stage__room')?.getBoundingClientRect() ?? new DOMRect();
    const { scrollHeight, scrollWidth, clientHeight, clientWidth } = document.documentElement;
    return {
      room: { right, bottom },
      size: { width: innerWidth, height: innerHeight },
      scrolls: scrollHeight > clientHeight || scrollWidth > clientWidth,
    };
  });
  const wrong = panels.flatMap(({ name, panel: { left, top, right, bottom } }) => {
    const inside = left >= -0.5 && top >= -0.5 && right <= size.width + 0.5 && bottom <= size.height + 0.5;
    const cut = bottom > room.bottom + 0.5 || right > room.right + 0.5;
    return [
      ...(inside ? [] : [`${name} is cut off by the window`]),
      ...(cut ? [`${name} is cut off by the stage, at ${right}, ${bottom}`] : []),
    ];
  });
  return scrolls ? [...wrong, 'the page scrolls'] : wrong;
}

/** Grids of a tensor or of one of its slices. */
const SHARED = /^(x|w|b|y|dx|dw|db|dy)(\[.*\])?$/;

/** Tensors that moved or changed their cell size; `seen` stores the first position of each. */
export function moved(panels: readonly Panel[], seen: Map<string, Panel>): string[] {
  return panels.flatMap((one) => {
    const { name, tensor, grid, cell, slot } = one;
    if (!slot || !SHARED.test(name)) return [];
    const first = seen.get(tensor) ?? one;
    seen.set(tensor, first);
    const by = Math.max(Math.abs(first.grid.left - grid.left), Math.abs(first.grid.top - grid.top));
    return [
      ...(by > 1 ? [`${tensor} has moved by ${by} px`] : []),
      ...(Math.abs(first.cell - cell) > 0.01 ? [`${tensor}'s cells are ${cell} px now`] : []),
    ];
  });
}

/** Least cell that shows its value, in CSS pixels. */
const READABLE = 24;

/** Grids with values on the stage, with the size of a cell: of a map, that of its cursor. */
const readable = (page: Page) =>
  page.evaluate(
    (least) =>
      [...document.querySelectorAll('.canvas [role=grid]')].flatMap((grid) => {
        const side = grid.querySelector('.cell, .heat__cursor')?.getBoundingClientRect().width ?? 0;
        const { width, height } = grid.getBoundingClientRect();
        return side < least ? [] : [{ name: grid.ariaLabel ?? '', side, width, height }];
      }),
    READABLE,
  );

/** Grids with values that end within a cell: its text is cut. */
export async function cutCells(page: Page): Promise<string[]> {
  const off = (length: number, side: number) => Math.abs(length / side - Math.round(length / side)) * side > 0.5;
  return (await readable(page))
    .filter(({ side, width, height }) => off(width, side) || off(height, side))
    .map(({ name, side, width, height }) => `${name} is ${width} × ${height}, with cells of ${side}`);
}

/** On a stage with a matrix of im2col: different cell sizes of the grids with values. */
export async function unequalCells(page: Page): Promise<string[]> {
  const grids = await readable(page);
  const onStage = (await page.locator('.canvas--stage').count()) > 0;
  const sides = new Set(grids.map(({ side }) => Math.round(side)));
  const isMatrix = grids.some(({ name }) => /_col/.test(name));
  return onStage && isMatrix && sides.size > 1 ? [grids.map(({ name, side }) => `${name} ${side}`).join(', ')] : [];
}

/** Largest part of the window's height above the first cell. */
const ABOVE = 0.4;

/** The first cell, number of the gradient check or curve, if too much is above it. */
export const lowFirstCell = (page: Page): Promise<string[]> =>
  page.evaluate((most) => {
    const cells = [
      ...document.querySelectorAll('main [role=gridcell], main .check-table td, main .plot__picture'),
    ].filter((cell) => cell.checkVisibility());
    const first = Math.min(...cells.map((cell) => cell.getBoundingClientRect().top));
    return first < most * innerHeight ? [] : [`the first cell is at ${first} of ${innerHeight} px`];
  }, ABOVE);

/** The six tensors of a layer that are not completely in sight. */
export const notOnBoard = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    ['x', 'w', 'y', 'dx', 'dw', 'dy'].filter((tensor) => {
      const frame = document.querySelector(`main .panel--${tensor} .panel__frame`);
      const { left, top, right, bottom } = frame?.getBoundingClientRect() ?? new DOMRect();
      const corners = [
        [left + 2, top + 2],
        [right - 2, top + 2],
        [left + 2, bottom - 2],
        [right - 2, bottom - 2],
      ] as const;
      return !frame || corners.some(([x, y]) => !frame.contains(document.elementFromPoint(x, y)));
    }),
  );
