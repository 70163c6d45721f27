import { coverageOf } from '../geometry/coverage';
import { positionOf } from '../geometry/grid';
import type { Look, ModeId, ViewState } from '../look/look';
import type { ConvDesc, Geometry, TensorName } from '../protocol/problem';
import { yShape } from '../protocol/shapes';
import type { Problem } from '../state/problem';

/** What the reader has to bring about, as data. Another kind is an entry here and its check below. */
interface Kinds {
  /** All of these sizes, however they came about. */
  readonly sizes: { readonly are: Partial<ConvDesc> };
  /** y has so many rows and columns. */
  readonly output: { readonly rows: number; readonly cols: number };
  /** One of these cells is kept explained: "y.4", or "dw" for any of its cells. */
  readonly cell: { readonly among: readonly string[] };
  /** A cell of x, or its twin in dx, is kept explained that so many windows read. */
  readonly read: { readonly times: number };
  /** The slice that is shown: image, channel, filter. */
  readonly slice: { readonly is: Partial<Look['focus']> };
  /** A view, with these of its choices; numbers are the least. */
  readonly view: { readonly mode: ModeId; readonly chosen?: ViewState };
  /** Where the numbers of an input come from; null: there is no such input. */
  readonly source: { readonly of: 'x' | 'w' | 'b' | 'dy'; readonly is: string | null };
  /** dy is 1 in this cell of y and 0 elsewhere. */
  readonly single: { readonly index: number };
  /** A cell of an input was changed by hand to this. */
  readonly value: {
    readonly of: Exclude<TensorName, 'y' | 'dx' | 'dw' | 'db' | 'dy'>;
    readonly index: number;
    readonly is: number;
  };
}

export type Goal = { readonly [Kind in keyof Kinds]: { readonly kind: Kind } & Kinds[Kind] }[keyof Kinds];

/** What a goal looks at. */
export interface Situation {
  readonly problem: Problem;
  readonly look: Look;
  /** Of the problem's own result; null while it is computed. */
  readonly geometry: Geometry | null;
}

type Checks = { readonly [Kind in keyof Kinds]: (goal: Kinds[Kind], now: Situation) => boolean };

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
  single: ({ index }, { problem: { dy } }) => dy.kind === 'one_hot' && dy.index === index,
  value: ({ of, index, is }, { problem }) => problem[of]?.data[index] === is,
};

/** Whether the reader has done it. */
export function isReached<Kind extends keyof Kinds>(
  goal: { readonly kind: Kind } & Kinds[Kind],
  now: Situation,
): boolean {
  return CHECKS[goal.kind](goal, now);
}
