import { coverageOf } from '../geometry/axis';
import { positionOf } from '../geometry/grid';
import type { Look, ModeId } from '../look/look';
import type { ConvDesc, Geometry } from '../protocol/problem';
import { openOf, type Problem } from '../state/problem';

/**
 * A lesson: an entry in lessons.ts. `tests/web/lessons` runs every step.
 *
 * Texts have two kinds of markup: *a term* that is defined here, and `y[0,1] = 3` for a formula.
 * Tests check each such equation between a cell and numbers against the problem of the step. Other values in a text are in
 * `tests/web/lessons/claims.ts`.
 */
export interface Lesson {
  /** Its name in a link. */
  readonly id: string;
  readonly title: string;
  /** Learning goal, one sentence. */
  readonly sentence: string;
  /** Time that a reader needs, about. */
  readonly minutes: number;
  /** The gradients that it speaks of; the page shows no others. */
  readonly gradients: readonly Gradient[];
  readonly steps: readonly [StepData, ...StepData[]];
}

type Gradient = (typeof GRADIENTS)[number];
export const GRADIENTS = ['dx', 'dw', 'db', 'dy'] as const;

/** A step explains something and asks the reader to do something. */
export interface StepData {
  readonly title: string;
  /** Problem and view state, as a link (link/write-link.ts). */
  readonly link: string;
  /** Paragraphs of two or three sentences. */
  readonly words: readonly string[];
  readonly formula?: string;
  /** "Set the stride to 2.", or a question. */
  readonly task: string;
  readonly asks?: Asked;
  /** What is hidden while the step asks for a cell, if more than the cell: "dy,dx". */
  readonly hides?: string;
  /** Cells that a later step asks for, and that stay hidden until then: "dw.4,dw.8". */
  readonly later?: string;
  /** Replaces the gradients of the lesson. */
  readonly gradients?: readonly Gradient[];
  /** What to look for, after a wrong choice or answer. */
  readonly hint?: string;
  /** One solution, as link fields that replace those of the step. A step that asks may have none. */
  readonly solution?: string;
  /** When the task is done. Default: the fields of the solution have its values. */
  readonly goal?: Goal;
  /** Parts of the page that get an outline. Default: where the fields of the solution are. */
  readonly points?: readonly Pointer[];
  /** Text that appears when the task is done. */
  readonly outcome: string;
  /** Teacher's notes. */
  readonly notes: string;
}

/**
 * The question of a step: the value of a cell, which is hidden ("y.8"); a number that is no value of a tensor, such as a size; or one of
 * some texts. The right answer opens the solution.
 */
export type Asked = string | Count | Choice;

export interface Count {
  /** "rows of y" */
  readonly count: string;
  readonly is: number;
}

export interface Choice {
  readonly options: readonly string[];
  /** Index of the right option. */
  readonly right: number;
}

/** "tab:dx", "option:gather" (by its value), "field:stride_h", "panel:dw", "controls:dy", "player". */
export type Pointer = `${'tab' | 'option' | 'field' | 'panel' | 'controls'}:${string}` | 'player';

/** State that a goal is checked against. */
export interface GoalContext {
  readonly problem: Problem;
  readonly look: Look;
  /** From the result of this problem; null while it is computed. */
  readonly geometry: Geometry | null;
}

/** Whether the task of a step is done. */
export type Goal = (now: GoalContext) => boolean;

/** One of these cells is pinned: "y.4", or "dw" for any of its cells. */
export const pins =
  (...cells: readonly string[]): Goal =>
  ({ look: { pinned } }) =>
    pinned !== null && (cells.includes(pinned.tensor) || cells.includes(`${pinned.tensor}.${pinned.index}`));

/** The pinned cell is in x or dx, and this many windows read it. */
export const pinsRead =
  (times: number): Goal =>
  ({ look: { pinned }, geometry: g }) => {
    if (!g || (pinned?.tensor !== 'x' && pinned?.tensor !== 'dx')) return false;
    const { row, col } = positionOf(g, pinned);
    const { rows, cols } = coverageOf(g);
    return (rows[row] ?? 0) * (cols[col] ?? 0) === times;
  };

/** Whether the page has the value of a field of a solution; a number of a view's setting is a minimum. */
function hasValue(field: string, now: GoalContext): boolean {
  const { look, problem } = now;
  const { desc } = openOf(problem);
  const [key = '', value = ''] = field.split('=');
  const [mode, setting] = key.split('.') as [ModeId, string?];
  const number = Number(value);
  if (key === 'cell') return pins(value)(now);
  if (key === 'mode') return look.mode === value;
  if (setting !== undefined) {
    const is = look.settings[mode]?.[setting];
    return look.mode === mode && (typeof is === 'number' ? is >= number : String(is) === value);
  }
  if (key === 'padding') return desc.padding_mode === value;
  if (key === 'stride' || key === 'dilation') return desc[`${key}_h`] === number && desc[`${key}_w`] === number;
  return desc[key as keyof ConvDesc] === number;
}

/** The task of a step is done, as far as the state of the page can say. */
export function isReached(
  { goal, asks, solution }: Pick<StepData, 'goal' | 'asks' | 'solution'>,
  now: GoalContext,
): boolean {
  if (typeof asks === 'string')
    return !now.look.masked.some(
      ({ tensor, index }) => asks === `${tensor}.${index}` || (index === null && asks.startsWith(`${tensor}.`)),
    );
  if (goal) return goal(now);
  return solution?.split('&').every((field) => hasValue(field, now)) ?? false;
}
