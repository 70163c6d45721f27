import './travel.css';

/** Values that travel: copies of cells and texts move over the page. Nothing moves where less motion is asked. */

export const isMotionReduced = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The element of a cell, in a tensor or matrix that is drawn as numbers. */
export const cellIn = (panel: string, row: number, col: number): Element | null =>
  document.querySelector(`main .panel--${panel} .cell[data-row="${row}"][data-col="${col}"]`);

let running: Animation[] = [];

/** Removes all copies, and shows what is hidden. */
export function stopMotion(): void {
  for (const animation of running) animation.cancel();
  running = [];
}

/** Part of the time in which a copy moves; then it rests on its target. */
const ARRIVED = 0.85;

/**
 * Moves a copy of an element to another one, in `duration` ms after `delay`. A cell keeps its color on the way to a cell. `opacity`: in
 * the end.
 */
export function fly(from: Element | null, to: Element | null, duration: number, delay = 0, opacity = 1): void {
  if (!from || !to || isMotionReduced()) return;
  const { left, top, width, height } = from.getBoundingClientRect();
  const end = to.getBoundingClientRect();
  const { fontWeight, fontSize, fontFamily, color, backgroundColor } = getComputedStyle(from);
  const isCell = from.matches('.cell') && to.matches('.cell');
  const copy = document.body.appendChild(document.createElement('span'));
  copy.className = 'travel';
  copy.ariaHidden = 'true';
  copy.textContent = from.textContent;
  copy.style.cssText = `left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px; color: ${color}; font: ${fontWeight} ${fontSize} ${fontFamily}; background: ${isCell ? backgroundColor : 'none'}`;
  const [x, y] = [end.left - left + (end.width - width) / 2, end.top - top + (end.height - height) / 2];
  const there = { transform: `translate(${x}px, ${y}px) scale(${isCell ? end.width / width : 1})`, opacity };
  const frames = [{ transform: 'none', opacity: 1, easing: 'ease-in-out' }, { ...there, offset: ARRIVED }, there];
  const animation = copy.animate(frames, { duration, delay });
  animation.onfinish = animation.oncancel = () => copy.remove();
  running.push(animation);
}

/** Hides elements for a time in ms. */
export function hideFor(elements: readonly (Element | null)[], duration: number): void {
  running.push(...elements.flatMap((element) => element?.animate({ opacity: [0, 0] }, duration) ?? []));
}
