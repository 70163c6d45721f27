import type { Cell } from '../protocol/cell';
import type { Geometry } from '../protocol/problem';
import { copiesOf } from './copies';
import { type AxisName, outputPositions, type Position, positionOf, windowCells } from './grid';
import { columnOfTap, rowOfOutput } from './matrix';
import { consecutive, type Range, single } from './range';
import { type BoxRanges, box, cellBox, isRegion, matrixColumn, matrixRow, type Region, sameCell } from './region';
import { type Factor, ruleOf, type SumRule } from './rules';

/** Ranges of a factor of a rule, before clipping. */
function factorRanges(factor: Factor, rule: SumRule, side: 'a' | 'b'): BoxRanges {
  const ranges: Record<AxisName, Range> = { ...cellBox(factor.origin) };
  for (const axis of rule.axes) {
    const walk = axis[side];
    if (walk) ranges[walk.axis] = { first: factor.origin[walk.axis], step: walk.step, count: axis.count };
  }
  return ranges;
}

/**
 * The cells that a cell is computed from: its factors, and the rows and columns of the im2col matrices. `dyOfY`: dy is
 * the gradient of a loss at y, otherwise it is given.
 */
export function sourcesOf(g: Geometry, cell: Cell, dyOfY = false): readonly Region[] {
  if (cell.tensor === 'dy' && dyOfY) return sameCell(g, 'y', positionOf(g, cell));
  const rule = ruleOf(g, cell);
  if (!rule) return [];
  const factors = [
    box(g, rule.a.tensor, factorRanges(rule.a, rule, 'a')),
    rule.b && box(g, rule.b.tensor, factorRanges(rule.b, rule, 'b')),
    rule.bias && box(g, rule.bias.tensor, cellBox(positionOf(g, rule.bias))),
  ];
  return [...factors, ...loweredReads(g, cell)].filter(isRegion);
}

function loweredReads(g: Geometry, cell: Cell): readonly (Region | null)[] {
  const p = positionOf(g, cell);
  const taps = windowCells(g);
  const positions = outputPositions(g);
  const filterGroup = (filter: number) => Math.floor(filter / g.group_k);
  switch (cell.tensor) {
    case 'y': {
      const group = filterGroup(p.channel);
      const row = rowOfOutput(g, { n: p.slice, row: p.row, col: p.col });
      return [
        box(g, 'x_padded', windowRanges(g, p)),
        box(g, 'x_col', matrixRow(group, row, taps)),
        box(g, 'w_col', matrixColumn(group, p.channel - group * g.group_k, taps)),
      ];
    }
    case 'y_col':
      return [box(g, 'x_col', matrixRow(p.slice, p.row, taps)), box(g, 'w_col', matrixColumn(p.slice, p.col, taps))];
    case 'dx':
      return [copiesOf(g, 'dx_col', { ...p, row: p.row + g.padding.top, col: p.col + g.padding.left })];
    case 'dx_col':
      return [
        box(g, 'dy_col', matrixRow(p.slice, p.row, g.group_k)),
        box(g, 'w_col', matrixRow(p.slice, p.col, g.group_k)),
      ];
    case 'dw': {
      const group = filterGroup(p.slice);
      const column = columnOfTap(g, p);
      return [
        box(g, 'x_col', matrixColumn(group, column, positions)),
        box(g, 'dy_col', matrixColumn(group, p.slice - group * g.group_k, positions)),
      ];
    }
    case 'dw_col':
      return [
        box(g, 'x_col', matrixColumn(p.slice, p.row, positions)),
        box(g, 'dy_col', matrixColumn(p.slice, p.col, positions)),
      ];
    default:
      return [];
  }
}

/** The window of an output cell in coordinates of x_padded: all channels of its group. */
function windowRanges(g: Geometry, output: Position): BoxRanges {
  const group = Math.floor(output.channel / g.group_k);
  return {
    slice: single(output.slice),
    row: { first: output.row * g.stride_h, step: g.dilation_h, count: g.kh },
    col: { first: output.col * g.stride_w, step: g.dilation_w, count: g.kw },
    channel: consecutive(group * g.group_c, g.group_c),
  };
}
