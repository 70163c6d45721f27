import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { tapOfColumn } from '../../geometry/matrix';
import { pixelOfColumn } from '../../geometry/rules';
import type { Geometry } from '../../protocol/problem';
import { cellIn, fly, isMotionReduced, stopMotion } from '../shared/travel';

/** Moves the entries of a row of dx_col for channel `c` of dx to their cells, without those of the padding. */
function flyCopies(g: Geometry, row: number, c: number, duration: number): void {
  const slice = Math.floor(c / g.group_c);
  for (let col = 0; col < g.kh * g.kw * g.group_c; col += 1) {
    const pixel = pixelOfColumn(g, { slice, row, col, channel: 0 });
    const isHere = tapOfColumn(g, col).channel === c % g.group_c;
    if (isHere) fly(cellIn('dx_col', row, col), cellIn('dx', pixel.row, pixel.col), duration);
  }
}

const LONGEST = 450;
/** Shorter animations flicker. */
const SHORTEST = 140;
/** Share of the time between two steps that the animation takes. */
const SHARE = 0.8;

/**
 * Animates the step to `steps` if it is one step forward, slow enough, and reduced motion is not requested: the entries of the row move
 * from dx_col to dx. True while they move.
 */
export function useCopyAnimation(g: Geometry, steps: number, c: number, canAnimate: boolean): boolean {
  const [done, setDone] = useState(steps);
  const clock = useRef({ steps, since: 0, pause: 0 });
  if (clock.current.steps !== steps) {
    const now = performance.now();
    clock.current = { steps, since: now, pause: now - clock.current.since };
  }
  const duration = Math.min(LONGEST, clock.current.pause * SHARE);
  const animates = canAnimate && !isMotionReduced() && steps === done + 1 && duration >= SHORTEST;
  useEffect(() => {
    if (!animates) setDone(steps);
  }, [animates, steps]);
  useLayoutEffect(() => {
    if (!animates) return;
    flyCopies(g, steps - 1, c, duration);
    const timer = setTimeout(() => setDone(steps), duration);
    return () => {
      clearTimeout(timer);
      stopMotion();
    };
  }, [animates, g, steps, c, duration]);
  return animates;
}
