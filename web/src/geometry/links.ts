import type { Cell, Geometry, GridName } from '../protocol/problem';
import { axisOf, consecutive, insideSpan, type Range, readersOf, single, upTo } from './axis';
import { inputOfC, outputOfC, weightBetween } from './conv-matrix';
import { type AxisName, cellAt, outputPositions, type Position, positionOf, windowCells } from './grid';
import { columnOfTap, copiesOf, outputOfRow, rowOfOutput, tapOfColumn } from './matrix';
import { type BoxRanges, box, cellBox, isRegion, matrixColumn, matrixRow, type Region, sameCell } from './region';
import { type Factor, pixelOfColumn, ruleOf, type SumRule, upsampledSource } from './rules';

/** The cells linked to a cell. */
export interface Links {
  /** What it is computed from; of x and w, what it is multiplied by. */
  readonly sources: readonly Region[];
  /** What it is used by. */
  readonly targets: readonly Region[];
}

/** `dyOfY`: dy is the gradient of a loss at y, otherwise it is given. */
export const linksOf = (g: Geometry, cell: Cell, dyOfY = false): Links => ({
  sources: [...sourcesOf(g, cell, dyOfY), ...metBy(g, cell)],
  targets: targetsOf(g, cell, dyOfY),
});

/** The cells that a weight or a cell of x is multiplied by: x and dy, or w. */
function metBy(g: Geometry, cell: Cell): readonly Region[] {
  const p = positionOf(g, cell);
  if (cell.tensor === 'w') {
    const { row, col } = cellsOfTap(g, p);
    const slice = upTo(g.n);
    return [
      box(g, 'x', { slice, row, col, channel: single(channelOf(g, p)) }),
      box(g, 'dy', { slice, row: outputsInside(row, g.h), col: outputsInside(col, g.w), channel: single(p.slice) }),
    ].filter((region) => region !== null);
  }
  if (cell.tensor !== 'x') return [];
  const padded = { ...p, row: p.row + g.padding.top, col: p.col + g.padding.left };
  const dw = pixelFeeds(g, padded).find((region) => region?.tensor === 'dw');
  return dw?.kind === 'box' ? [{ ...dw, tensor: 'w' }] : [];
}

/** The channel of x of a weight. */
const channelOf = (g: Geometry, { slice, channel }: Position): number =>
  Math.floor(slice / g.group_k) * g.group_c + channel;

/** The rows and columns of x that a weight is on, one for each window; some may be in the padding. */
const cellsOfTap = (g: Geometry, p: Position) => ({
  row: { first: p.row * g.dilation_h - g.padding.top, step: g.stride_h, count: g.oh },
  col: { first: p.col * g.dilation_w - g.padding.left, step: g.stride_w, count: g.ow },
});

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

/**
 * The cells that a cell contributes to, without those that it meets only in the padding. `dyOfY`: dy is the gradient of
 * a loss at y, otherwise it is given.
 */
export function targetsOf(g: Geometry, cell: Cell, dyOfY = false): readonly Region[] {
  const p = positionOf(g, cell);
  switch (cell.tensor) {
    case 'x': {
      const padded = { ...p, row: p.row + g.padding.top, col: p.col + g.padding.left };
      return [...pixelFeeds(g, padded), box(g, 'x_padded', cellBox(padded))].filter(isRegion);
    }
    case 'x_padded':
      return pixelFeeds(g, p).filter(isRegion);
    case 'w':
      return weightFeeds(g, p).filter(isRegion);
    case 'b':
      return allOutputs(g, p.channel).filter(isRegion);
    case 'y':
      return dyOfY ? sameCell(g, 'dy', p) : [];
    case 'dy':
      return outputGradientFeeds(g, p).filter(isRegion);
    case 'dy_upsampled':
    case 'dy_extended':
    case 'dy_inserted': {
      const source = upsampledSource(g, cell.tensor, p);
      return source ? gradientOf(g, cellAt(g, 'dy', source)) : [];
    }
    case 'w_exchanged':
    case 'w_flipped': {
      const rule = ruleOf(g, cell);
      return rule ? gradientOf(g, cellAt(g, 'w', rule.a.origin)) : [];
    }
    case 'C':
      return entryFeeds(g, p).filter(isRegion);
    default:
      return matrixFeeds(g, cell.tensor, p).filter(isRegion);
  }
}

/** Stages of the full convolution contribute to dx only. */
const gradientOf = (g: Geometry, original: Cell | null): readonly Region[] =>
  original ? targetsOf(g, original).filter(({ tensor }) => tensor === 'dx') : [];

const allOutputs = (g: Geometry, filter: number): readonly (Region | null)[] => [
  box(g, 'y', { slice: upTo(g.n), row: upTo(g.oh), col: upTo(g.ow), channel: single(filter) }),
];

function pixelFeeds(g: Geometry, padded: Position): readonly (Region | null)[] {
  const rows = readersOf(axisOf(g, 'row'), padded.row);
  const cols = readersOf(axisOf(g, 'col'), padded.col);
  const group = Math.floor(padded.channel / g.group_c);
  const filters = consecutive(group * g.group_k, g.group_k);
  return [
    box(g, 'y', { slice: single(padded.slice), row: rows.outputs, col: cols.outputs, channel: filters }),
    box(g, 'dw', {
      slice: filters,
      row: rows.taps,
      col: cols.taps,
      channel: single(padded.channel - group * g.group_c),
    }),
    copiesOf(g, 'x_col', padded),
  ];
}

function weightFeeds(g: Geometry, p: Position): readonly (Region | null)[] {
  const group = Math.floor(p.slice / g.group_k);
  const filter = p.slice - group * g.group_k;
  const column = columnOfTap(g, p);
  const { row, col } = cellsOfTap(g, p);
  return [
    box(g, 'y', {
      slice: upTo(g.n),
      row: outputsInside(row, g.h),
      col: outputsInside(col, g.w),
      channel: single(p.slice),
    }),
    box(g, 'dx', { slice: upTo(g.n), row, col, channel: single(channelOf(g, p)) }),
    box(g, 'w_col', cellBox({ slice: group, row: column, col: filter, channel: 0 })),
    box(g, 'y_col', matrixColumn(group, filter, outputPositions(g))),
    box(g, 'dx_col', matrixColumn(group, column, outputPositions(g))),
  ];
}

function outputGradientFeeds(g: Geometry, p: Position): readonly (Region | null)[] {
  const group = Math.floor(p.channel / g.group_k);
  const filter = p.channel - group * g.group_k;
  const matrixRowIndex = rowOfOutput(g, { n: p.slice, row: p.row, col: p.col });
  const row: Range = { first: p.row * g.stride_h - g.padding.top, step: g.dilation_h, count: g.kh };
  const col: Range = { first: p.col * g.stride_w - g.padding.left, step: g.dilation_w, count: g.kw };
  return [
    box(g, 'dx', { slice: single(p.slice), row, col, channel: consecutive(group * g.group_c, g.group_c) }),
    box(g, 'dw', {
      slice: single(p.channel),
      row: outputsInside(row, g.h),
      col: outputsInside(col, g.w),
      channel: upTo(g.group_c),
    }),
    box(g, 'db', cellBox({ slice: 0, row: 0, col: 0, channel: p.channel })),
    box(g, 'dy_col', cellBox({ slice: group, row: matrixRowIndex, col: filter, channel: 0 })),
    box(g, 'dx_col', matrixRow(group, matrixRowIndex, windowCells(g))),
    box(g, 'dw_col', matrixColumn(group, filter, windowCells(g))),
  ];
}

/** An entry of C carries a cell of x to a cell of y, and backwards a cell of dy to a cell of dx, in every image. */
function entryFeeds(g: Geometry, { row, col }: Position): readonly (Region | null)[] {
  const [y, x] = [outputOfC(g, row), inputOfC(g, col)];
  if (!weightBetween(g, y, x)) return [];
  const images = { slice: upTo(g.n) };
  return [box(g, 'y', { ...cellBox(y), ...images }), box(g, 'dx', { ...cellBox(x), ...images })];
}

/** Output positions with a tap, at `inputs`, inside an input of `size` cells. */
function outputsInside(inputs: Range, size: number): Range {
  const { start, count } = insideSpan(inputs, size);
  return consecutive(start, count);
}

/** Targets of a cell of an im2col matrix; results (y, dx, dw, db) have none. */
function matrixFeeds(g: Geometry, tensor: GridName, p: Position): readonly (Region | null)[] {
  switch (tensor) {
    case 'x_col':
      return [
        box(g, 'y_col', matrixRow(p.slice, p.row, g.group_k)),
        box(g, 'dw_col', matrixRow(p.slice, p.col, g.group_k)),
      ];
    case 'w_col':
      return [
        box(g, 'y_col', matrixColumn(p.slice, p.col, outputPositions(g))),
        box(g, 'dx_col', matrixColumn(p.slice, p.row, outputPositions(g))),
      ];
    case 'dy_col':
      return [
        box(g, 'dx_col', matrixRow(p.slice, p.row, windowCells(g))),
        box(g, 'dw_col', matrixColumn(p.slice, p.col, windowCells(g))),
      ];
    case 'y_col': {
      const out = outputOfRow(g, p.row);
      const filter = p.slice * g.group_k + p.col;
      return [box(g, 'y', cellBox({ slice: out.n, row: out.row, col: out.col, channel: filter }))];
    }
    case 'dx_col':
      return [box(g, 'dx', cellBox(pixelOfColumn(g, p)))];
    case 'dw_col': {
      const tap = tapOfColumn(g, p.row);
      return [box(g, 'dw', cellBox({ ...tap, slice: p.slice * g.group_k + p.col }))];
    }
    // A position past the kernel is cropped and has no target.
    case 'dw_uncropped':
    case 'dw_per_image':
      return [box(g, 'dw', cellBox({ ...p, slice: p.slice % g.k }))];
    default:
      return [];
  }
}
