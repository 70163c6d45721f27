import { BREAKPOINTS } from '../../ui/breakpoints';
import type { Room } from '../../views/kit/fit';

/** Height limits of the view in CSS pixels, on a page that scrolls. */
const MIN_HEIGHT = 560;
const MAX_HEIGHT = 780;
/** Height of everything above and below the view on such a page, in CSS pixels. */
const OUTSIDE = 190;

/**
 * The space for panels in an element, in whole pixels. A scroll bar must not change it: a layout for less space would
 * need no bar and then be laid out again without it, in an endless loop (seen in Firefox). The vertical bar has a
 * gutter (stage.css); the height of the horizontal bar is not subtracted.
 */
function roomOf(element: HTMLElement): Room {
  const { clientWidth: width, offsetHeight } = element;
  if (window.matchMedia(BREAKPOINTS.wide).matches) return { width, height: Math.max(MIN_HEIGHT_WIDE, offsetHeight) };
  return { width, height: Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, window.innerHeight - OUTSIDE)) };
}

/** CSS pixels. In a lower window the view itself scrolls. */
const MIN_HEIGHT_WIDE = 400;

/** Replaced in an embed (embed/start-embed.tsx). */
export const rooms = { of: roomOf };
