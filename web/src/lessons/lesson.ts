import { coverageOf } from '../geometry/axis';
import { positionOf } from '../geometry/grid';
import type { Look, ModeId } from '../look/look';
import type { Cell, Geometry } from '../protocol/problem';
import { singleOf, wordOf } from '../sources/loss';
import { type Problem, shownLayer, sizesOf } from '../state/problem';

/**
 * A lesson: a file in web/content/lessons. `tests/web/lessons` runs every step.
 *
 * Texts have two kinds of markup: *a term* that is defined here, and `y[0,1] = 3` for a formula.
 * Tests check each such equation between a cell and numbers against the problem of the step. Other values in a text are in
 * `tests/web/lessons/claims.ts`.
 */
export interface Lesson {
  /** Its name in a link, and that of its file. */
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
  /** Paragraphs of two or three sentences, a line each. */
  readonly words: string;
  readonly formula?: string;
  /** "Set the stride to 2.", or a question. */
  readonly task: string;
  /** How to do the task with the keyboard; not said on a device without one. */
  readonly keys?: string;
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
  /** When the task is done, if not with exactly the solution: conditions joined by "&" (`isMet`). */
  readonly goal?: string;
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
type Asked = string | Count | Choice;

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

/**
 * Whether a condition of a goal is met. A field of a link has this value ("stride=2", "dy=mse"); a number of a view's setting is a
 * minimum. "cell=y.6|y.7": one of these is pinned, "cell=dw": any cell of dw. "reads=2": so many windows read the pinned cell of x or
 * dx. "oh=4", "layers=3": sizes. "x.7=1": the value of a cell.
 */
function isMet(condition: string, { look, problem, geometry }: GoalContext): boolean {
  const { desc, w, b } = shownLayer(problem, look.layer);
  const { x, loss, layers } = problem;
  const single = singleOf(loss);
  const [key = '', value = ''] = condition.split('=');
  const [name = '', part] = key.split('.');
  if (part !== undefined) {
    // The rows of y2: rows.2=4.
    if (name === 'rows') return sizesOf(problem)[Number(part)]?.h === Number(value);
    const input = { x, w, b }[name];
    if (input) return input.data[Number(part)] === Number(value);
    const is = look.settings[name as ModeId]?.[part];
    return look.mode === name && (typeof is === 'number' ? is >= Number(value) : String(is) === value);
  }
  const { pinned, focus, mode } = look;
  if (key === 'cell')
    return (
      pinned !== null &&
      value.split('|').some((at) => at === pinned.tensor || at === `${pinned.tensor}.${pinned.index}`)
    );
  const values: Readonly<Record<string, unknown>> = {
    ...{ ...geometry, ...desc, mode, layers: layers.length, padding: desc.padding_mode, slice: `c${focus.c}` },
    ...{ reads: geometry && timesRead(geometry, pinned), dy: single ? `${single.kind}:${single.index}` : wordOf(loss) },
    stride: desc.stride_h === desc.stride_w && desc.stride_h,
    dilation: desc.dilation_h === desc.dilation_w && desc.dilation_h,
  };
  return String(values[key]) === value;
}

/** The number of windows that read a cell of x or dx. */
export function timesRead(g: Geometry, cell: Cell | null): number | null {
  if (cell?.tensor !== 'x' && cell?.tensor !== 'dx') return null;
  const { row, col } = positionOf(g, cell);
  const { rows, cols } = coverageOf(g);
  return (rows[row] ?? 0) * (cols[col] ?? 0);
}

/** The task of a step is done, as far as the state of the page can say. */
export function isReached(
  { goal, asks, solution }: Pick<StepData, 'goal' | 'asks' | 'solution'>,
  now: GoalContext,
): boolean {
  if (typeof asks === 'string')
    return !now.look.hiddenCells.some(
      ({ tensor, index }) => asks === `${tensor}.${index}` || (index === null && asks.startsWith(`${tensor}.`)),
    );
  return (goal ?? solution)?.split('&').every((condition) => isMet(condition, now)) ?? false;
}
