import type { Place, Places } from '../look/place';
import { dyEntry } from '../sources/dy-sources';
import type { Problem } from './problem';

/** The problem on the other side of an edit, and where one stood when one made it. */
export interface Step {
  readonly problem: Problem;
  readonly place: Place | null;
}

/** Undo and redo as data: problems are immutable and share the tensors that an edit left alone. */
export interface History {
  /** Oldest first; the current problem is in neither list. */
  readonly past: readonly Step[];
  /** Next redo last. */
  readonly future: readonly Step[];
}

export const NO_HISTORY: History = { past: [], future: [] };

const MOST_STEPS = 200;
/** An edited megapixel photo is 12 MB a step: what undo keeps alive must not grow without end. */
const MOST_FLOATS = 2 ** 26;

/** After an edit: `before` can be undone to, what was undone is gone. */
export const recorded = (history: History, before: Step): History => ({
  past: affordable([...history.past, before]),
  future: [],
});

/** The newest steps whose distinct tensors stay within the limits. */
function affordable(steps: readonly Step[]): readonly Step[] {
  const seen = new Set<Float32Array>();
  let floats = 0;
  let first = steps.length;
  while (first > 0 && steps.length - first < MOST_STEPS) {
    const step = steps[first - 1];
    for (const data of step ? arraysOf(step.problem) : []) {
      if (!seen.has(data)) floats += data.length;
      seen.add(data);
    }
    // The step just taken can always be undone.
    if (floats > MOST_FLOATS && first < steps.length) break;
    first -= 1;
  }
  return first === 0 ? steps : steps.slice(first);
}

function arraysOf({ x, w, b, dy }: Problem): readonly Float32Array[] {
  return [x.data, w.data, ...(b ? [b.data] : []), ...dyEntry(dy).arrays(dy)];
}

/** Where a step in time leads. */
export interface TimeStep {
  readonly problem: Problem;
  readonly history: History;
}

type Travel = (history: History, current: Problem, go: Places['go']) => TimeStep | null;

/** `go` is taken to the step's place, and says the one for the way back. */
export const undone: Travel = ({ past, future }, current, go) => {
  const step = past.at(-1);
  if (!step) return null;
  const back = { problem: current, place: go(step.place) };
  return { problem: step.problem, history: { past: past.slice(0, -1), future: [...future, back] } };
};

export const redone: Travel = ({ past, future }, current, go) => {
  const step = future.at(-1);
  if (!step) return null;
  const back = { problem: current, place: go(step.place) };
  return { problem: step.problem, history: { past: [...past, back], future: future.slice(0, -1) } };
};

/** The history with every step from `problem` on forgotten: edits after it turned out to be invalid. */
export function forgottenFrom({ past, future }: History, problem: Problem): History {
  const index = past.findLastIndex((step) => step.problem === problem);
  return index < 0 ? { past, future } : { past: past.slice(0, index), future };
}
