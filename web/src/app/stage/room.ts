import { BREAKPOINTS } from '../../ui/breakpoints';
import type { Room } from '../../views/kit/fit';

/** Heights of a stage on a page that scrolls. */
const LEAST = 560;
const MOST = 780;
/** What stands above and below the stage there. */
const AROUND = 190;

/** The room for panels in an element, in whole pixels: a scroll bar that comes by a fraction must not move everything. */
export function roomOf(element: HTMLElement): Room {
  const { clientWidth: width, clientHeight } = element;
  if (window.matchMedia(BREAKPOINTS.wide).matches) return { width, height: Math.max(LEAST_WIDE, clientHeight) };
  return { width, height: Math.max(LEAST, Math.min(MOST, window.innerHeight - AROUND)) };
}

/** In a window lower than this the stage scrolls in itself. */
const LEAST_WIDE = 400;
