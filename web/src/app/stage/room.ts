import type { Room } from '../../views/kit/fit';

/** From here on the page does not scroll: the stage is as high as the window leaves it. The same width as in shell.css. */
export const WIDE = '(min-width: 1100px)';

/** Heights of a stage on a page that scrolls. */
const LEAST = 560;
const MOST = 780;
/** What stands above and below the stage there. */
const AROUND = 190;

/** The room for panels in an element, in whole pixels: a scroll bar that comes by a fraction must not move everything. */
export function roomOf(element: HTMLElement): Room {
  const { clientWidth: width, clientHeight } = element;
  if (window.matchMedia(WIDE).matches) return { width, height: Math.max(LEAST_WIDE, clientHeight) };
  return { width, height: Math.max(LEAST, Math.min(MOST, window.innerHeight - AROUND)) };
}

/** In a window lower than this the stage scrolls in itself. */
const LEAST_WIDE = 400;
