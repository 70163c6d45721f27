import { coverageOf } from '../geometry/coverage';
import { positionOf } from '../geometry/grid';
import type { Look, ModeId, ViewState } from '../look/look';
import type { ConvDesc, Geometry, TensorName } from '../protocol/problem';
import { yShape } from '../protocol/shapes';
import type { Problem } from '../state/problem';

/** The goal of a task, as data. A new kind needs an entry here and a check below. */
interface GoalKinds {
  /** All of these sizes. */
  readonly sizes: { readonly are: Partial<ConvDesc> };
  /** Rows and columns of y. */
  readonly output: { readonly rows: number; readonly cols: number };
  /** One of these cells is pinned: "y.4", or "dw" for any of its cells. */
  readonly cell: { readonly among: readonly string[] };
  /** The pinned cell is in x or dx, and this many windows read it. */
  readonly read: { readonly times: number };
  /** The visible slice: image, channel, filter. */
  readonly slice: { readonly is: Partial<Look['focus']> };
  /** A view with these settings; a number is a minimum. */
  readonly view: { readonly mode: ModeId; readonly chosen?: ViewState };
  /** Source of the values of an input; null: the input is absent. */
  readonly source: { readonly of: 'x' | 'w' | 'b' | 'dy'; readonly is: string | null };
  /** dy is 1 in this cell of y and 0 elsewhere. */
  readonly single: { readonly index: number };
  /** A cell of an input has this value. */
  readonly value: {
    readonly of: Exclude<TensorName, 'y' | 'dx' | 'dw' | 'db' | 'dy'>;
    readonly index: number;
    readonly is: number;
  };
}

export type Goal = { readonly [Kind in keyof GoalKinds]: { readonly kind: Kind } & GoalKinds[Kind] }[keyof GoalKinds];

/** State that a goal is checked against. */
export interface GoalContext {
  readonly problem: Problem;
  readonly look: Look;
  /** From the result of this problem; null while it is computed. */
  readonly geometry: Geometry | null;
}

type Checks = { readonly [Kind in keyof GoalKinds]: (goal: GoalKinds[Kind], now: GoalContext) => boolean };

const CHECKS: Checks = {
  sizes: ({ are }, { problem: { desc } }) =>
    Object.entries(are).every(
      ([name, value]) => JSON.stringify(desc[name as keyof ConvDesc]) === JSON.stringify(value),
    ),
  output({ rows, cols }, { problem: { desc } }) {
    const [, oh, ow] = yShape({ ...desc, layout: 'nhwc' });
    return oh === rows && ow === cols;
  },
  cell: ({ among }, { look: { pinned } }) =>
    pinned !== null && (among.includes(pinned.tensor) || among.includes(`${pinned.tensor}.${pinned.index}`)),
  read({ times }, { look: { pinned }, geometry: g }) {
    if (!g || (pinned?.tensor !== 'x' && pinned?.tensor !== 'dx')) return false;
    const { row, col } = positionOf(g, pinned);
    const { rows, cols } = coverageOf(g);
    return (rows[row] ?? 0) * (cols[col] ?? 0) === times;
  },
  slice: ({ is }, { look: { focus } }) =>
    Object.entries(is).every(([axis, index]) => focus[axis as keyof typeof focus] === index),
  view: ({ mode, chosen = {} }, { look }) =>
    look.mode === mode &&
    Object.entries(chosen).every(([name, wanted]) => {
      const is = look.settings[mode]?.[name];
      return typeof wanted === 'number' && typeof is === 'number' ? is >= wanted : is === wanted;
    }),
  source: ({ of, is }, { problem }) => {
    if (of === 'dy') return problem.dy.kind === is;
    return (problem[of]?.source.kind ?? null) === is;
  },
  single: ({ index }, { problem: { dy } }) => 'index' in dy && dy.index === index,
  value: ({ of, index, is }, { problem }) => problem[of]?.data[index] === is,
};

export function isReached<Kind extends keyof GoalKinds>(
  goal: { readonly kind: Kind } & GoalKinds[Kind],
  now: GoalContext,
): boolean {
  return CHECKS[goal.kind](goal, now);
}
