import type { Room } from '../views/kit/fit';

/** Frames up to this width stack their panels. embed.css has the same number. */
const SMALL = '(max-width: 590px)';
/** Height in px of the margin and of a panel's header, border and legend: a small frame shows one whole tensor. */
const AROUND_CELLS = 80;

/** Space for the panels. A small frame scrolls, so its content does not bound the height. */
export function framedRoom({ clientWidth: width, offsetHeight }: HTMLElement): Room {
  return { width, height: matchMedia(SMALL).matches ? innerHeight - AROUND_CELLS : offsetHeight };
}
