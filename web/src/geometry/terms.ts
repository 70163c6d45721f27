import type { Cell, GridName } from '../protocol/cell';
import type { Geometry } from '../protocol/problem';
import { type AxisName, type Grid, gridOf, indexAt, type Position } from './grid';
import { insideSpan } from './range';
import { type Factor, ruleOf, type SumRule, type Walk } from './rules';

/** A page of the terms that make a cell, in order of position. The factors are cells of x, w or dy. */
export interface Terms {
  readonly cell: Cell;
  readonly a: GridName;
  /** null: the cell is a copy of one cell of `a`, or a plain sum of them. */
  readonly b: GridName | null;
  /** Flat indices into `a`, one a term; OUTSIDE where the factor lies in the padding. */
  readonly index_a: Int32Array;
  /** Flat indices into `b`; empty when b is null. */
  readonly index_b: Int32Array;
  /** The cell of `b` (the bias) that is added to the sum, if the problem has a bias. */
  readonly bias: Cell | null;
  /** First term of this page, and terms in all. */
  readonly offset: number;
  readonly total: number;
  /** Of all the terms: those whose factor lies in the padding and is therefore 0. */
  readonly inPadding: number;
  /** dx only: taps, of kh * kw, that meet no output position and so make no term. */
  readonly unmetTaps: number;
}

/** Index of a factor in the padding (ProductsRequest has the same convention). */
export const OUTSIDE = -1;

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Enough for every cell of a problem whose numbers one can still read, little enough to list in a millisecond. */
const DEFAULT_PAGE: Page = { offset: 0, limit: 4096 };

/**
 * What makes this cell. null for x, w, b and dy, which are given.
 * Cost grows with the page, not with the sum: a dw cell of a large image has one term per output position.
 */
export function terms(g: Geometry, cell: Cell, page: Page = DEFAULT_PAGE): Terms | null {
  const rule = ruleOf(g, cell);
  if (!rule) return null;
  const total = termCount(rule);
  const count = Math.max(Math.min(page.limit, total - page.offset), 0);
  const a = trackOf(gridOf(g, rule.a.tensor), rule.a, rule, 'a');
  const b = rule.b && trackOf(gridOf(g, rule.b.tensor), rule.b, rule, 'b');
  const index_a = new Int32Array(count);
  const index_b = new Int32Array(b ? count : 0);
  const steps = new Int32Array(rule.axes.length);
  for (let t = 0; t < count; t += 1) {
    decode(rule, page.offset + t, steps);
    index_a[t] = indexAfter(a, steps);
    if (b) index_b[t] = indexAfter(b, steps);
  }
  return {
    cell,
    a: rule.a.tensor,
    b: rule.b?.tensor ?? null,
    index_a,
    index_b,
    bias: rule.bias,
    offset: page.offset,
    total,
    inPadding: total - insideCount(g, rule),
    unmetTaps: rule.unmetTaps,
  };
}

/** The factors of one term as positions; that of `a` may lie in the padding, outside of its tensor. */
export interface TermPositions {
  readonly a: Position;
  readonly b: Position | null;
}

/** The factors of term t of the cell, 0 <= t < total; null for given cells. */
export function termPositions(g: Geometry, cell: Cell, t: number): TermPositions | null {
  const rule = ruleOf(g, cell);
  if (!rule) return null;
  const steps = new Int32Array(rule.axes.length);
  decode(rule, t, steps);
  return {
    a: positionAfter(rule.a, rule, 'a', steps),
    b: rule.b && positionAfter(rule.b, rule, 'b', steps),
  };
}

const termCount = (rule: SumRule): number => rule.axes.reduce((count, axis) => count * axis.count, 1);

/** Mixed-radix digits of t, the last axis fastest. */
function decode(rule: SumRule, t: number, steps: Int32Array): void {
  let rest = t;
  for (let i = rule.axes.length - 1; i >= 0; i -= 1) {
    const count = rule.axes[i]?.count ?? 1;
    steps[i] = rest % count;
    rest = Math.floor(rest / count);
  }
}

function positionAfter(factor: Factor, rule: SumRule, side: 'a' | 'b', steps: Int32Array): Position {
  const position = { ...factor.origin };
  rule.axes.forEach((axis, i) => {
    const walk = axis[side];
    if (walk) position[walk.axis] += walk.step * (steps[i] ?? 0);
  });
  return position;
}

/** A factor's way through its tensor, ready for many terms: where it starts, and what a step of each axis adds. */
interface Track {
  readonly size: Position;
  readonly row: number;
  readonly col: number;
  readonly index: number;
  readonly rowSteps: Int32Array;
  readonly colSteps: Int32Array;
  readonly indexSteps: Int32Array;
}

function trackOf(grid: Grid, factor: Factor, rule: SumRule, side: 'a' | 'b'): Track {
  const { size, stride } = grid;
  const along = (step: (walk: Walk) => number) =>
    Int32Array.from(rule.axes, (axis) => {
      const walk = axis[side];
      return walk ? step(walk) : 0;
    });
  return {
    size,
    row: factor.origin.row,
    col: factor.origin.col,
    index: indexAt(grid, factor.origin),
    rowSteps: along(({ axis, step }) => (axis === 'row' ? step : 0)),
    colSteps: along(({ axis, step }) => (axis === 'col' ? step : 0)),
    indexSteps: along(({ axis, step }) => step * stride[axis]),
  };
}

function indexAfter(track: Track, steps: Int32Array): number {
  let { row, col, index } = track;
  for (let i = 0; i < steps.length; i += 1) {
    const step = steps[i] ?? 0;
    row += step * (track.rowSteps[i] ?? 0);
    col += step * (track.colSteps[i] ?? 0);
    index += step * (track.indexSteps[i] ?? 0);
  }
  // Only rows and columns can leave a tensor; the rule keeps samples, channels and filters inside.
  const inside = row >= 0 && row < track.size.row && col >= 0 && col < track.size.col;
  return inside ? index : OUTSIDE;
}

/** Terms whose factor `a` lies inside of its tensor: the axes are independent, so the counts multiply. */
function insideCount(g: Geometry, rule: SumRule): number {
  const { size } = gridOf(g, rule.a.tensor);
  const { origin } = rule.a;
  const fixed = (axis: AxisName) => origin[axis] >= 0 && origin[axis] < size[axis];
  let count = 1;
  const walked = new Set<AxisName>();
  for (const axis of rule.axes) {
    const { axis: name, step } = axis.a satisfies Walk;
    walked.add(name);
    count *= insideSpan({ first: origin[name], step, count: axis.count }, size[name]).count;
  }
  for (const name of ['row', 'col'] as const) if (!walked.has(name) && !fixed(name)) return 0;
  return count;
}
