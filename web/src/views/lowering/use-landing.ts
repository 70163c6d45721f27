import { useEffect, useRef, useState } from 'preact/hooks';

export interface Landing {
  /** Milliseconds of the flight that is under way; null when nothing flies. */
  readonly flying: number | null;
  readonly onLanded: () => void;
}

const LONGEST = 450;
/** A shorter flight is a flicker. */
const SHORTEST = 140;
/** Share of the time between two steps that a flight may take. */
const SHARE = 0.8;

/** Whether the step to `steps` is flown: one step forward, slowly enough, by somebody who does not mind motion. */
export function useLanding(steps: number, canFly: boolean): Landing {
  const [landed, setLanded] = useState(steps);
  const clock = useRef({ steps, since: 0, pause: 0 });
  if (clock.current.steps !== steps) {
    const now = performance.now();
    clock.current = { steps, since: now, pause: now - clock.current.since };
  }
  const milliseconds = Math.min(LONGEST, clock.current.pause * SHARE);
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const flies = canFly && !still && steps === landed + 1 && milliseconds >= SHORTEST;
  useEffect(() => {
    if (!flies) setLanded(steps);
  }, [flies, steps]);
  return { flying: flies ? milliseconds : null, onLanded: () => setLanded(steps) };
}
