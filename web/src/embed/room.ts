import type { Room } from '../views/kit/fit';

/** Frames up to this width have one panel below the other: embed.css has the same number. */
const SMALL = '(max-width: 590px)';
/** The rim, and the head, frame and legend of a panel: in a small frame a whole tensor can be seen at a time. */
const AROUND_CELLS = 80;

/** What the frame leaves for the panels; a small one scrolls, and what is in it does not say how large it is. */
export function framedRoom({ clientWidth: width, offsetHeight }: HTMLElement): Room {
  return { width, height: matchMedia(SMALL).matches ? innerHeight - AROUND_CELLS : offsetHeight };
}
