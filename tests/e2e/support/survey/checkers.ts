import type { Page } from 'playwright-core';
import { faintBorders, seriousIn } from './axe';
import { collisions, crowded, cutBySpacing, cutInDock, cutOff, cutTitles, outOfCard, smallFigures } from './fitting';
import { silentEdit } from './heard';
import {
  bursts,
  cutCells,
  lowFirstCell,
  moved,
  notOnBoard,
  notWhole,
  overlaps,
  type Panel,
  settledPanels,
  unequalCells,
} from './layout';
import { outOfWindow } from './out-of-window';
import { unreachable } from './reach';
import { openedOnZero } from './telling';

interface Visit {
  readonly page: Page;
  readonly panels: readonly Panel[];
  /** The first position of each tensor in this walk. */
  readonly seen: Map<string, Panel>;
}

type Checker = (visit: Visit) => Promise<readonly string[]> | readonly string[];

/** Each returns its findings in the current view. */
const CHECKERS = {
  overlap: ({ panels }) => overlaps(panels),
  burst: ({ panels }) => bursts(panels),
  whole: ({ page, panels }) => notWhole(page, panels),
  moved: ({ panels, seen }) => moved(panels, seen),
  'cut cells': ({ page }) => cutCells(page),
  'one size': ({ page }) => unequalCells(page),
  legend: ({ page }) => collisions(page),
  crowded: ({ page }) => crowded(page),
  'cut off': ({ page }) => cutOff(page),
  titles: ({ page }) => cutTitles(page),
  figures: ({ page }) => smallFigures(page),
  'out of card': ({ page }) => outOfCard(page),
  window: async ({ page }) => {
    const { wider, outside, empty, panels } = await page.evaluate(outOfWindow);
    const fine = wider <= 0 && outside.length === 0 && empty.length === 0 && panels > 0;
    return fine ? [] : [JSON.stringify({ wider, outside, empty, panels })];
  },
  reach: ({ page }) => unreachable(page),
  telling: ({ page }) => openedOnZero(page),
  'first cell': ({ page }) => lowFirstCell(page),
  board: ({ page }) => notOnBoard(page),
  dock: ({ page }) => cutInDock(page),
  spacing: ({ page }) => cutBySpacing(page),
  heard: ({ page }) => silentEdit(page),
  borders: ({ page }) => faintBorders(page),
  axe: ({ page }) => seriousIn(page, '.stage'),
} as const satisfies Readonly<Record<string, Checker>>;

export type CheckerName = keyof typeof CHECKERS;

/** A function that runs checkers on the current view: each finding with the name of the visit and of the checker. */
export function inspector(page: Page, names: readonly CheckerName[], seen = new Map<string, Panel>()) {
  return async (visit: string): Promise<readonly string[]> => {
    const panels = await settledPanels(page);
    const faults: string[] = [];
    for (const name of names) {
      const found = await CHECKERS[name]({ page, panels, seen });
      faults.push(...found.map((finding) => `${visit}: ${name}: ${finding}`));
    }
    return faults;
  };
}
