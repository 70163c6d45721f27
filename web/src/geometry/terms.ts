import type { Cell, Geometry, GridName } from '../protocol/problem';
import { type AxisName, cellAt, type Grid, gridOf, indexAt, isInside, type Position, positionOf } from './grid';
import { factorBox, type RuleAxis, ruleOf, type SumRule } from './rules';

/** The first terms of a cell, in order of position. The factors are cells of x, w or dy. */
export interface Terms {
  readonly cell: Cell;
  readonly a: GridName;
  /** null: the cell is a copy of a cell of `a`, or a plain sum of cells. */
  readonly b: GridName | null;
  /** Flat indices into `a`, one for each term; OUTSIDE in the padding. */
  readonly index_a: Int32Array;
  /** Flat indices into `b`; empty if b is null. */
  readonly index_b: Int32Array;
  /** The cell of `b` (the bias) that is added, if the problem has a bias. */
  readonly bias: Cell | null;
  /** Number of all terms. */
  readonly total: number;
  /** Number of terms with a factor in the padding, so 0. */
  readonly inPadding: number;
  /** dx only: taps, of kh * kw, without an output position, so without a term. */
  readonly unmetTaps: number;
}

/** Index of a factor in the padding (same convention as ProductsRequest). */
export const OUTSIDE = -1;

/**
 * The first terms of a cell; null for x, w, b and dy. The cost depends on their number, not on the sum: a dw cell of a large
 * image has one term for each output position. 4096 are enough for readable numbers, in less than a millisecond.
 */
export function terms(g: Geometry, cell: Cell, limit = 4096): Terms | null {
  const rule = ruleOf(g, cell);
  if (!rule) return null;
  const total = termCount(rule);
  const count = Math.min(limit, total);
  const indexIn = (grid: Grid, p: Position) => (isInside(grid, p) ? indexAt(grid, p) : OUTSIDE);
  const a = gridOf(g, rule.a.tensor);
  const b = rule.b && gridOf(g, rule.b.tensor);
  const index_a = new Int32Array(count);
  const index_b = new Int32Array(b ? count : 0);
  for (let t = 0; t < count; t += 1) {
    const at = factorsOf(rule, t);
    index_a[t] = indexIn(a, at.a);
    if (b && at.b) index_b[t] = indexIn(b, at.b);
  }
  return {
    cell,
    a: rule.a.tensor,
    b: rule.b?.tensor ?? null,
    index_a,
    index_b,
    bias: rule.bias,
    total,
    inPadding: total - (factorBox(g, rule, 'a')?.count ?? 0),
    unmetTaps: rule.unmetTaps,
  };
}

/** The factors of term t of the cell, 0 <= t < total; null for inputs. That of `a` may be in the padding, outside its tensor. */
export function termPositions(g: Geometry, cell: Cell, t: number) {
  const rule = ruleOf(g, cell);
  return rule && factorsOf(rule, t);
}

/** The factor that a cell has in the sum of another: for x[1,1] in y[0,0] the weight w[1,1]. Null: none. */
export function factorBeside(g: Geometry, cell: Cell, sum: Cell): Cell | null {
  const rule = ruleOf(g, sum);
  if (!rule?.b) return null;
  const [own, other, mine, its] =
    rule.a.tensor === cell.tensor ? ([rule.a, rule.b, 'a', 'b'] as const) : ([rule.b, rule.a, 'b', 'a'] as const);
  if (own.tensor !== cell.tensor) return null;
  const p = positionOf(g, cell);
  const found = { ...other.origin };
  for (const axis of rule.axes) {
    const [here, there] = [axis[mine], axis[its]];
    if (here && there) found[there.axis] += ((p[here.axis] - own.origin[here.axis]) / here.step) * there.step;
  }
  return cellAt(g, other.tensor, found);
}

const termCount = (rule: SumRule) => rule.axes.reduce((count, axis) => count * axis.count, 1);

/** Each axis takes a step for its digit of t; the last axis is the fastest. */
function factorsOf(rule: SumRule, t: number): { readonly a: Position; readonly b: Position | null } {
  const a = { ...rule.a.origin };
  const b = rule.b && { ...rule.b.origin };
  let rest = t;
  for (const axis of rule.axes.toReversed()) {
    const step = rest % axis.count;
    rest = Math.floor(rest / axis.count);
    a[axis.a.axis] += axis.a.step * step;
    if (b && axis.b) b[axis.b.axis] += axis.b.step * step;
  }
  return { a, b };
}

/** All terms of a sum as they are read: plane by plane, by row and column of the factor that is written first. */
export const readingOrder = ({ count, rows, cols, termAt }: SumPlanes): readonly number[] =>
  Array.from({ length: count * rows * cols }, (_, i) => {
    const at = i % (rows * cols);
    return i - at + termAt(Math.floor(at / cols), at % cols);
  });

/** A sum divided into planes of rows x columns, in the order of its terms, for drawing. */
export interface SumPlanes {
  /** The meaning of a plane: one channel of x, one filter of dy, one image. */
  readonly word: 'channel' | 'filter' | 'image';
  readonly first: number;
  readonly count: number;
  readonly rows: number;
  readonly cols: number;
  /** The factor that is drawn in the orientation of its tensor. */
  readonly leading: 'a' | 'b';
  /** The other factor is flipped: w in dx. */
  readonly flipped: boolean;
  readonly termAt: (row: number, col: number) => number;
}

const ONE: RuleAxis = { count: 1, a: { axis: 'row', step: 1 }, b: null };

const WORDS: Readonly<Partial<Record<GridName, Readonly<Partial<Record<AxisName, SumPlanes['word']>>>>>> = {
  x: { channel: 'channel', slice: 'image' },
  dy: { channel: 'filter', slice: 'image' },
  w: { slice: 'filter' },
};

/** Null for inputs and copies. */
export function planesOf(g: Geometry, cell: Cell): SumPlanes | null {
  const rule = ruleOf(g, cell);
  if (!rule || rule.axes.length === 0) return null;
  const whole = rule.axes.length === 3;
  const plane = (whole && rule.axes[0]) || ONE;
  const row = (whole && rule.axes[1]) || ONE;
  const col = rule.axes.at(-1) ?? ONE;
  const leading = rule.a.tensor === 'w' && rule.b ? 'b' : 'a';
  const backwards = (axis: RuleAxis) => axis.count > 1 && (axis[leading]?.step ?? 1) < 0;
  const [rowsBack, colsBack] = [backwards(row), backwards(col)];
  return {
    word: WORDS[rule.a.tensor]?.[plane.a.axis] ?? 'image',
    first: whole ? rule.a.origin[plane.a.axis] : 0,
    count: plane.count,
    rows: row.count,
    cols: col.count,
    leading,
    flipped: rowsBack || colsBack,
    termAt: (r, c) => (rowsBack ? row.count - 1 - r : r) * col.count + (colsBack ? col.count - 1 - c : c),
  };
}
