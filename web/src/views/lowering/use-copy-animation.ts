import { useEffect, useRef, useState } from 'preact/hooks';

export interface CopyAnimationState {
  /** Duration of the current animation in ms; null: none. */
  readonly duration: number | null;
  readonly onDone: () => void;
}

const LONGEST = 450;
/** Shorter animations flicker. */
const SHORTEST = 140;
/** Share of the time between two steps that the animation takes. */
const SHARE = 0.8;

/** Animates the step to `steps` if it is one step forward, slow enough, and reduced motion is not requested. */
export function useCopyAnimation(steps: number, canAnimate: boolean): CopyAnimationState {
  const [done, setDone] = useState(steps);
  const clock = useRef({ steps, since: 0, pause: 0 });
  if (clock.current.steps !== steps) {
    const now = performance.now();
    clock.current = { steps, since: now, pause: now - clock.current.since };
  }
  const duration = Math.min(LONGEST, clock.current.pause * SHARE);
  const isReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const animates = canAnimate && !isReduced && steps === done + 1 && duration >= SHORTEST;
  useEffect(() => {
    if (!animates) setDone(steps);
  }, [animates, steps]);
  return { duration: animates ? duration : null, onDone: () => setDone(steps) };
}
