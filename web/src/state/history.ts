import type { Problem } from './problem';

/** Undo and redo as data: problems are immutable and share the tensors that an edit left alone. */
export interface History {
  /** Oldest first; the current problem is in neither list. */
  readonly past: readonly Problem[];
  /** Next redo last. */
  readonly future: readonly Problem[];
}

export const NO_HISTORY: History = { past: [], future: [] };

const MOST_STEPS = 200;
/** An edited megapixel photo is 12 MB a step: what undo keeps alive must not grow without end. */
const MOST_FLOATS = 2 ** 26;

/** After an edit: `before` can be undone to, what was undone is gone. */
export const recorded = (history: History, before: Problem): History => ({
  past: affordable([...history.past, before]),
  future: [],
});

/** The newest problems whose distinct tensors stay within the limits. */
function affordable(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<Float32Array>();
  let floats = 0;
  let first = problems.length;
  while (first > 0 && problems.length - first < MOST_STEPS) {
    const problem = problems[first - 1];
    for (const data of problem ? arraysOf(problem) : []) {
      if (!seen.has(data)) floats += data.length;
      seen.add(data);
    }
    // The step just taken can always be undone.
    if (floats > MOST_FLOATS && first < problems.length) break;
    first -= 1;
  }
  return first === 0 ? problems : problems.slice(first);
}

function arraysOf({ x, w, b, dy }: Problem): readonly Float32Array[] {
  const ofDy = dy.kind === 'values' ? dy.data : dy.kind === 'mse' || dy.kind === 'log_cosh' ? dy.target : null;
  return [x.data, w.data, b?.data, ofDy].filter((data) => data instanceof Float32Array);
}

/** Where a step in time leads. */
export interface TimeStep {
  readonly problem: Problem;
  readonly history: History;
}

export function undone({ past, future }: History, current: Problem): TimeStep | null {
  const problem = past.at(-1);
  return problem ? { problem, history: { past: past.slice(0, -1), future: [...future, current] } } : null;
}

export function redone({ past, future }: History, current: Problem): TimeStep | null {
  const problem = future.at(-1);
  return problem ? { problem, history: { past: [...past, current], future: future.slice(0, -1) } } : null;
}

/** The history with every step from `problem` on forgotten: edits after it turned out to be invalid. */
export function forgottenFrom({ past, future }: History, problem: Problem): History {
  const index = past.lastIndexOf(problem);
  return index < 0 ? { past, future } : { past: past.slice(0, index), future };
}
