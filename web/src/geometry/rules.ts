import type { Cell, Geometry, GridName } from '../protocol/problem';
import { axisOf, type Range, readersOf, single, upTo } from './axis';
import { weightAt } from './conv-matrix';
import {
  type AxisName,
  at,
  type BoxRegion,
  box,
  cellBox,
  inPadded,
  type Position,
  positionOf,
  type UpsampledName,
  upsampledSizes,
} from './grid';
import { outputOfRow, tapOfColumn } from './matrix';

/**
 * How a cell is computed, as data: a sum over the product of `axes`. In each term, the factor `a` (and `b`, if any) is
 * at its origin plus its step on each axis. Explanations, highlights and lists of terms use this.
 */
export interface SumRule {
  readonly a: Factor;
  /** null: the cell is a copy, or a plain sum. */
  readonly b: Factor | null;
  /**
   * The last axis is the fastest. No axes: exactly one term. With three axes, the first one (channels, filters or
   * images) divides the sum into planes of rows and columns.
   */
  readonly axes: readonly RuleAxis[];
  readonly bias: Cell | null;
  /** Taps (of kh * kw) without an output position: skipped by the stride, or beyond the edge of dy. */
  readonly unmetTaps: number;
}

export interface Factor {
  readonly tensor: GridName;
  /** May be in the padding, outside the tensor. */
  readonly origin: Position;
}

export interface RuleAxis {
  readonly count: number;
  readonly a: AxisStep;
  readonly b: AxisStep | null;
}

interface AxisStep {
  readonly axis: AxisName;
  readonly step: number;
}

/** The cells of a factor in all terms, without the padding; null: none. */
export function factorBox(g: Geometry, rule: SumRule, side: 'a' | 'b'): BoxRegion | null {
  const factor = rule[side];
  if (!factor) return null;
  const ranges: Record<AxisName, Range> = { ...cellBox(factor.origin) };
  for (const { count, [side]: step } of rule.axes) {
    if (step) ranges[step.axis] = { first: factor.origin[step.axis], step: step.step, count };
  }
  return box(g, factor.tensor, ranges);
}

const walk = (axis: AxisName, step = 1): AxisStep => ({ axis, step });

const over = (count: number, a: AxisStep, b: AxisStep | null = null): RuleAxis => ({ count, a, b });

const sumOf = (a: Factor, b: Factor | null, axes: readonly RuleAxis[]): SumRule => ({
  a,
  b,
  axes,
  bias: null,
  unmetTaps: 0,
});

const copyOf = (tensor: GridName, origin: Position): SumRule => sumOf({ tensor, origin }, null, []);

/** y[n,i,j,k] = b[k] + sum over p,q,c of x[n, i*s + p*d - top, j*s + q*d - left, c] * w[p,q,c,k] */
function outputRule(g: Geometry, n: number, row: number, col: number, filter: number, bias: Cell | null): SumRule {
  const first = Math.floor(filter / g.group_k) * g.group_c;
  const x = at(n, row * g.stride_h - g.padding.top, col * g.stride_w - g.padding.left, first);
  const rule = sumOf({ tensor: 'x', origin: x }, { tensor: 'w', origin: at(filter, 0, 0, 0) }, [
    over(g.group_c, walk('channel'), walk('channel')),
    over(g.kh, walk('row', g.dilation_h), walk('row')),
    over(g.kw, walk('col', g.dilation_w), walk('col')),
  ]);
  return { ...rule, bias };
}

/** dx_padded[n,r,c,ch] = sum over the taps and positions that read the cell, and the filters of its group, of w * dy */
function inputGradientRule(g: Geometry, p: Position): SumRule {
  const rows = readersOf(axisOf(g, 'row'), p.row);
  const cols = readersOf(axisOf(g, 'col'), p.col);
  const group = Math.floor(p.channel / g.group_c);
  const filter = group * g.group_k;
  const w = at(filter, rows.taps.first, cols.taps.first, p.channel - group * g.group_c);
  const dy = at(p.slice, rows.outputs.first, cols.outputs.first, filter);
  const rule = sumOf({ tensor: 'w', origin: w }, { tensor: 'dy', origin: dy }, [
    over(g.group_k, walk('slice'), walk('channel')),
    over(rows.taps.count, walk('row', rows.taps.step), walk('row', rows.outputs.step)),
    over(cols.taps.count, walk('col', cols.taps.step), walk('col', cols.outputs.step)),
  ]);
  return { ...rule, unmetTaps: g.kh * g.kw - rows.taps.count * cols.taps.count };
}

/** dw[p,q,c,k] = sum over n,i,j of x[n, i*s + p*d - top, j*s + q*d - left, c] * dy[n,i,j,k]. */
function weightGradientRule(g: Geometry, { row, col, channel, slice: k }: Position, images = upTo(g.n)): SumRule {
  const from = Math.floor(k / g.group_k) * g.group_c + channel;
  const x = at(images.first, row * g.dilation_h - g.padding.top, col * g.dilation_w - g.padding.left, from);
  return sumOf({ tensor: 'x', origin: x }, { tensor: 'dy', origin: at(images.first, 0, 0, k) }, [
    over(images.count, walk('slice'), walk('slice')),
    over(g.oh, walk('row', g.stride_h), walk('row')),
    over(g.ow, walk('col', g.stride_w), walk('col')),
  ]);
}

const biasGradientRule = (g: Geometry, filter: number): SumRule =>
  sumOf({ tensor: 'dy', origin: at(0, 0, 0, filter) }, null, [
    over(g.n, walk('slice')),
    over(g.oh, walk('row')),
    over(g.ow, walk('col')),
  ]);

/** Position in x of a cell of x_col (or dx_col); outside x in the padding. */
export function pixelOfColumn(g: Geometry, p: Position): Position {
  const out = outputOfRow(g, p.row);
  const tap = tapOfColumn(g, p.col);
  return at(
    out.n,
    out.row * g.stride_h + tap.row * g.dilation_h - g.padding.top,
    out.col * g.stride_w + tap.col * g.dilation_w - g.padding.left,
    p.slice * g.group_c + tap.channel,
  );
}

/** dx_col[r,t] = sum over the filters of the group of w[t,k] * dy[r,k] */
function columnGradientRule(g: Geometry, p: Position): SumRule {
  const out = outputOfRow(g, p.row);
  const tap = tapOfColumn(g, p.col);
  const filter = p.slice * g.group_k;
  const w = at(filter, tap.row, tap.col, tap.channel);
  return sumOf({ tensor: 'w', origin: w }, { tensor: 'dy', origin: at(out.n, out.row, out.col, filter) }, [
    over(g.group_k, walk('slice'), walk('channel')),
  ]);
}

/**
 * The cell of w of a cell of w_exchanged: channels and filters are swapped within the group; w_flipped is also flipped
 * by 180 degrees.
 */
function exchangedWeight(g: Geometry, p: Position, flipped: boolean) {
  const group = Math.floor(p.slice / g.group_c);
  const row = flipped ? g.kh - 1 - p.row : p.row;
  const col = flipped ? g.kw - 1 - p.col : p.col;
  return at(group * g.group_k + p.channel, row, col, p.slice - group * g.group_c);
}

/** The cell of dy of a cell of upsampled dy, or null for an inserted, appended or padding zero. */
export function upsampledSource(g: Geometry, name: UpsampledName, p: Position): Position | null {
  const { rows, cols } = upsampledSizes(g, name);
  const row = (p.row - rows.ring) / g.stride_h;
  const col = (p.col - cols.ring) / g.stride_w;
  const real = Number.isInteger(row) && Number.isInteger(col) && row >= 0 && row < g.oh && col >= 0 && col < g.ow;
  return real ? at(p.slice, row, col, p.channel) : null;
}

/** The rule of a cell; null for inputs (x, w, b, dy), for inserted zeros, and for empty entries of C. */
export function ruleOf(g: Geometry, cell: Cell): SumRule | null {
  const p = positionOf(g, cell);
  switch (cell.tensor) {
    case 'x':
    case 'w':
    case 'b':
    case 'dy':
      return null;
    case 'y':
      return outputRule(g, p.slice, p.row, p.col, p.channel, { tensor: 'b', index: p.channel });
    case 'dx':
      return inputGradientRule(g, inPadded(g, p));
    case 'dx_padded':
      return inputGradientRule(g, p);
    case 'dw':
    case 'dw_uncropped':
      return weightGradientRule(g, p);
    case 'dw_per_image':
      return weightGradientRule(g, { ...p, slice: p.slice % g.k }, single(Math.floor(p.slice / g.k)));
    case 'db':
      return biasGradientRule(g, p.channel);
    case 'x_padded':
      return copyOf('x', at(p.slice, p.row - g.padding.top, p.col - g.padding.left, p.channel));
    case 'x_col':
      return copyOf('x', pixelOfColumn(g, p));
    case 'w_col': {
      const tap = tapOfColumn(g, p.row);
      return copyOf('w', at(p.slice * g.group_k + p.col, tap.row, tap.col, tap.channel));
    }
    case 'y_col': {
      const out = outputOfRow(g, p.row);
      return outputRule(g, out.n, out.row, out.col, p.slice * g.group_k + p.col, null);
    }
    case 'dy_col': {
      const out = outputOfRow(g, p.row);
      return copyOf('dy', at(out.n, out.row, out.col, p.slice * g.group_k + p.col));
    }
    case 'dx_col':
      return columnGradientRule(g, p);
    case 'dw_col': {
      return weightGradientRule(g, { ...tapOfColumn(g, p.row), slice: p.slice * g.group_k + p.col });
    }
    case 'dy_upsampled':
    case 'dy_extended':
    case 'dy_inserted': {
      const source = upsampledSource(g, cell.tensor, p);
      return source && copyOf('dy', source);
    }
    case 'C': {
      const weight = weightAt(g, p.row, p.col);
      return weight && copyOf('w', weight);
    }
    case 'w_exchanged':
    case 'w_flipped':
      return copyOf('w', exchangedWeight(g, p, cell.tensor === 'w_flipped'));
  }
}
