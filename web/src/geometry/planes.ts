import type { Cell, GridName } from '../protocol/cell';
import type { Geometry } from '../protocol/problem';
import type { AxisName } from './grid';
import { type RuleAxis, ruleOf } from './rules';

/** A sum divided into planes of rows x columns, in the order of its terms, for drawing. */
export interface SumPlanes {
  /** The meaning of a plane: one channel of x, one filter of dy, one image. */
  readonly word: 'channel' | 'filter' | 'image';
  /** Index of the first plane in its tensor. */
  readonly first: number;
  readonly count: number;
  readonly rows: number;
  readonly cols: number;
  /** The factor that is drawn in the orientation of its tensor. */
  readonly leading: 'a' | 'b';
  /** The other factor is flipped: w in dx. */
  readonly flipped: boolean;
  /** Index of the term within its plane. */
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
