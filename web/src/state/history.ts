import type { LookSnapshot, LookSnapshots } from '../look/snapshot';
import { dyEntry } from '../sources/dy-sources';
import type { Problem } from './problem';

/** The problem before (or after) an edit, and the snapshot of the view state. */
export interface UndoStep {
  readonly problem: Problem;
  readonly target: LookSnapshot | null;
}

/** Undo and redo as data: problems are immutable and share unchanged tensors. */
export interface History {
  /** Oldest first; the current problem is in neither list. */
  readonly past: readonly UndoStep[];
  /** Next redo last. */
  readonly future: readonly UndoStep[];
}

export const NO_HISTORY: History = { past: [], future: [] };

const MOST_STEPS = 200;
/** Limits the memory of undo: an edited megapixel photo takes 12 MB for each step. */
const MOST_FLOATS = 2 ** 26;

/** The history after an edit: undo leads to `before`, and redo is empty. */
export const recorded = (history: History, before: UndoStep): History => ({
  past: withinLimits([...history.past, before]),
  future: [],
});

/** The newest steps within the limits of steps and of distinct tensors. */
function withinLimits(steps: readonly UndoStep[]): readonly UndoStep[] {
  const seen = new Set<Float32Array>();
  let floats = 0;
  let first = steps.length;
  while (first > 0 && steps.length - first < MOST_STEPS) {
    const step = steps[first - 1];
    for (const data of step ? arraysOf(step.problem) : []) {
      if (!seen.has(data)) floats += data.length;
      seen.add(data);
    }
    // The last step can always be undone.
    if (floats > MOST_FLOATS && first < steps.length) break;
    first -= 1;
  }
  return first === 0 ? steps : steps.slice(first);
}

function arraysOf({ x, w, b, dy }: Problem): readonly Float32Array[] {
  return [x.data, w.data, ...(b ? [b.data] : []), ...dyEntry(dy).arrays(dy)];
}

/** Result of one undo or redo. */
export interface UndoResult {
  readonly problem: Problem;
  readonly history: History;
}

type Travel = (history: History, current: Problem, restore: LookSnapshots['restore']) => UndoResult | null;

/** `restore` restores the target of the step and returns the target for the way back. */
export const undone: Travel = ({ past, future }, current, restore) => {
  const step = past.at(-1);
  if (!step) return null;
  const back = { problem: current, target: restore(step.target) };
  return { problem: step.problem, history: { past: past.slice(0, -1), future: [...future, back] } };
};

export const redone: Travel = ({ past, future }, current, restore) => {
  const step = future.at(-1);
  if (!step) return null;
  const back = { problem: current, target: restore(step.target) };
  return { problem: step.problem, history: { past: [...past, back], future: future.slice(0, -1) } };
};

/** Drops the steps from `problem` on, because the edits after it were rejected. */
export function withoutStepsFrom({ past, future }: History, problem: Problem): History {
  const index = past.findLastIndex((step) => step.problem === problem);
  return index < 0 ? { past, future } : { past: past.slice(0, index), future };
}
