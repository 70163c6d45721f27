import type { Cell, GridName } from '../protocol/cell';
import type { Geometry } from '../protocol/problem';
import type { AxisName } from './grid';
import { type RuleAxis, ruleOf } from './rules';

/** A sum divided as one draws it: planes of rows x columns, one below the other in the order of its terms. */
export interface SumPlanes {
  /** What a plane is of: one channel of x, one filter of dy, one image. */
  readonly word: 'channel' | 'filter' | 'image';
  /** Number that the first plane has in its tensor. */
  readonly first: number;
  readonly count: number;
  readonly rows: number;
  readonly cols: number;
  /** Which factor is drawn first, as it lies in its tensor; the other one follows it. */
  readonly leading: 'a' | 'b';
  /** The other factor thereby stands the other way round: the turned w of dx. */
  readonly turned: boolean;
  /** The number of the term, within its plane, that stands in a row and column. */
  readonly termAt: (row: number, col: number) => number;
}

const ONE: RuleAxis = { count: 1, a: { axis: 'row', step: 1 }, b: null };

const WORDS: Readonly<Partial<Record<GridName, Readonly<Partial<Record<AxisName, SumPlanes['word']>>>>>> = {
  x: { channel: 'channel', slice: 'image' },
  dy: { channel: 'filter', slice: 'image' },
  w: { slice: 'filter' },
};

/** Null for cells that are given, and for copies. */
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
    turned: rowsBack || colsBack,
    termAt: (r, c) => (rowsBack ? row.count - 1 - r : r) * col.count + (colsBack ? col.count - 1 - c : c),
  };
}
