import { BREAKPOINTS } from '../../ui/breakpoints';
import type { Room } from '../../views/kit/fit';

/** Heights of a stage on a page that scrolls. */
const LEAST = 560;
const MOST = 780;
/** What stands above and below the stage there. */
const AROUND = 190;

/**
 * The room for panels in an element, in whole pixels. A scroll bar must not change it: a layout for less room would need no
 * bar, and be laid out again without it, for ever (seen in Firefox). The upright one has its gutter, stage.css; the other
 * one's height is not subtracted.
 */
function roomOf(element: HTMLElement): Room {
  const { clientWidth: width, offsetHeight } = element;
  if (window.matchMedia(BREAKPOINTS.wide).matches) return { width, height: Math.max(LEAST_WIDE, offsetHeight) };
  return { width, height: Math.max(LEAST, Math.min(MOST, window.innerHeight - AROUND)) };
}

/** In a window lower than this the stage scrolls in itself. */
const LEAST_WIDE = 400;

/** How the room of a stage is found; an embed has its own way (embed/room.ts). */
export const rooms = { of: roomOf };
