import type { Cell, Geometry, GridName } from '../protocol/problem';
import { ALL, axisOf, consecutive, insideSpan, type Range, readersOf, single, upTo } from './axis';
import { inputOfC, outputOfC, weightBetween } from './conv-matrix';
import {
  at,
  boxes,
  cellAt,
  cellBox,
  groupOfChannel,
  groupOfFilter,
  inPadded,
  matrixColumn,
  matrixRow,
  type Position,
  positionOf,
  type Region,
  sameCell,
} from './grid';
import { columnOfTap, copiesOf, outputOfRow, rowOfOutput, tapOfColumn } from './matrix';
import { factorBox, pixelOfColumn, ruleOf, upsampledSource } from './rules';
import { windowAt } from './window';

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
  if (cell.tensor === 'x') return boxes(g, { w: metByPixel(g, inPadded(g, p)).taps });
  if (cell.tensor !== 'w') return [];
  const { pixels, outputs } = metByWeight(g, p);
  return boxes(g, { x: pixels, dy: outputs });
}

/** The outputs that read a cell of the padded x, and the taps that they read it with. */
function metByPixel(g: Geometry, { slice, row, col, channel }: Position) {
  const rows = readersOf(axisOf(g, 'row'), row);
  const cols = readersOf(axisOf(g, 'col'), col);
  const filters = consecutive(groupOfChannel(g, channel) * g.group_k, g.group_k);
  return {
    outputs: { slice: single(slice), row: rows.outputs, col: cols.outputs, channel: filters },
    taps: { slice: filters, row: rows.taps, col: cols.taps, channel: single(channel % g.group_c) },
  };
}

/** The cells of x that a weight is on, one for each window, and the outputs of those that are not in the padding. */
function metByWeight(g: Geometry, { slice: filter, row, col, channel }: Position) {
  const rows: Range = { first: row * g.dilation_h - g.padding.top, step: g.stride_h, count: g.oh };
  const cols: Range = { first: col * g.dilation_w - g.padding.left, step: g.stride_w, count: g.ow };
  const from = groupOfFilter(g, filter) * g.group_c + channel;
  const slice = upTo(g.n);
  return {
    pixels: { slice, row: rows, col: cols, channel: single(from) },
    outputs: { slice, row: stepsInside(rows, g.h), col: stepsInside(cols, g.w), channel: single(filter) },
  };
}

/** The steps of a range of x, from 0, that are inside of its `size` cells: of a weight the outputs, of an output the taps. */
function stepsInside(inputs: Range, size: number) {
  const { start, count } = insideSpan(inputs, size);
  return consecutive(start, count);
}

/**
 * The cells that a cell is computed from: its factors, and the rows and columns of the im2col matrices. `dyOfY`: dy is
 * the gradient of a loss at y, otherwise it is given.
 */
export function sourcesOf(g: Geometry, cell: Cell, dyOfY = false): readonly Region[] {
  if (cell.tensor === 'dy' && dyOfY) return sameCell(g, 'y', positionOf(g, cell));
  const rule = ruleOf(g, cell);
  if (!rule) return [];
  const factors = [factorBox(g, rule, 'a'), factorBox(g, rule, 'b')].filter((region) => region !== null);
  const bias = rule.bias ? sameCell(g, rule.bias.tensor, positionOf(g, rule.bias)) : [];
  return [...factors, ...bias, ...loweredReads(g, cell)];
}

function loweredReads(g: Geometry, cell: Cell): readonly Region[] {
  const p = positionOf(g, cell);
  switch (cell.tensor) {
    case 'y': {
      const group = groupOfFilter(g, p.channel);
      const { rows, cols } = windowAt(g, p.row, p.col);
      const channel = consecutive(group * g.group_c, g.group_c);
      return boxes(g, {
        x_padded: { slice: single(p.slice), row: rows, col: cols, channel },
        x_col: matrixRow(group, rowOfOutput(g, p)),
        w_col: matrixColumn(group, p.channel % g.group_k),
      });
    }
    case 'y_col':
      return boxes(g, { x_col: matrixRow(p.slice, p.row), w_col: matrixColumn(p.slice, p.col) });
    case 'dx':
      return copies(g, 'dx_col', inPadded(g, p));
    case 'dx_col':
      return boxes(g, { dy_col: matrixRow(p.slice, p.row), w_col: matrixRow(p.slice, p.col) });
    case 'dw': {
      const group = groupOfFilter(g, p.slice);
      return boxes(g, {
        x_col: matrixColumn(group, columnOfTap(g, p)),
        dy_col: matrixColumn(group, p.slice % g.group_k),
      });
    }
    case 'dw_col':
      return boxes(g, { x_col: matrixColumn(p.slice, p.row), dy_col: matrixColumn(p.slice, p.col) });
    default:
      return [];
  }
}

const copies = (g: Geometry, tensor: 'x_col' | 'dx_col', padded: Position): readonly Region[] =>
  [copiesOf(g, tensor, padded)].filter((region) => region !== null);

/**
 * The cells that a cell contributes to, without those that it meets only in the padding. `dyOfY`: dy is the gradient of
 * a loss at y, otherwise it is given.
 */
export function targetsOf(g: Geometry, cell: Cell, dyOfY = false): readonly Region[] {
  const p = positionOf(g, cell);
  switch (cell.tensor) {
    case 'x':
      return [...pixelFeeds(g, inPadded(g, p)), ...sameCell(g, 'x_padded', inPadded(g, p))];
    case 'x_padded':
      return pixelFeeds(g, p);
    case 'w':
      return weightFeeds(g, p);
    case 'b':
      return boxes(g, { y: { slice: ALL, row: ALL, col: ALL, channel: single(p.channel) } });
    case 'y':
      return dyOfY ? sameCell(g, 'dy', p) : [];
    case 'dy':
      return outputGradientFeeds(g, p);
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
      return entryFeeds(g, p);
    default:
      return matrixFeeds(g, cell.tensor, p);
  }
}

/** Stages of the full convolution contribute to dx only. */
const gradientOf = (g: Geometry, original: Cell | null) =>
  original ? targetsOf(g, original).filter(({ tensor }) => tensor === 'dx') : [];

function pixelFeeds(g: Geometry, padded: Position): readonly Region[] {
  const { outputs, taps } = metByPixel(g, padded);
  return [...boxes(g, { y: outputs, dw: taps }), ...copies(g, 'x_col', padded)];
}

function weightFeeds(g: Geometry, p: Position): readonly Region[] {
  const group = groupOfFilter(g, p.slice);
  const filter = p.slice % g.group_k;
  const column = columnOfTap(g, p);
  const { pixels, outputs } = metByWeight(g, p);
  return boxes(g, {
    y: outputs,
    dx: pixels,
    w_col: cellBox(at(group, column, filter, 0)),
    y_col: matrixColumn(group, filter),
    dx_col: matrixColumn(group, column),
  });
}

function outputGradientFeeds(g: Geometry, p: Position): readonly Region[] {
  const group = groupOfFilter(g, p.channel);
  const filter = p.channel % g.group_k;
  const line = rowOfOutput(g, p);
  const row: Range = { first: p.row * g.stride_h - g.padding.top, step: g.dilation_h, count: g.kh };
  const col: Range = { first: p.col * g.stride_w - g.padding.left, step: g.dilation_w, count: g.kw };
  return boxes(g, {
    dx: { slice: single(p.slice), row, col, channel: consecutive(group * g.group_c, g.group_c) },
    dw: { slice: single(p.channel), row: stepsInside(row, g.h), col: stepsInside(col, g.w), channel: ALL },
    db: cellBox(at(0, 0, 0, p.channel)),
    dy_col: cellBox(at(group, line, filter, 0)),
    dx_col: matrixRow(group, line),
    dw_col: matrixColumn(group, filter),
  });
}

/** An entry of C carries a cell of x to a cell of y, and backwards a cell of dy to a cell of dx, in every image. */
function entryFeeds(g: Geometry, { row, col }: Position): readonly Region[] {
  const [y, x] = [outputOfC(g, row), inputOfC(g, col)];
  if (!weightBetween(g, y, x)) return [];
  return boxes(g, { y: { ...cellBox(y), slice: ALL }, dx: { ...cellBox(x), slice: ALL } });
}

/** Targets of a cell of an im2col matrix; results (y, dx, dw, db) have none. */
function matrixFeeds(g: Geometry, tensor: GridName, p: Position): readonly Region[] {
  switch (tensor) {
    case 'x_col':
      return boxes(g, { y_col: matrixRow(p.slice, p.row), dw_col: matrixRow(p.slice, p.col) });
    case 'w_col':
      return boxes(g, { y_col: matrixColumn(p.slice, p.col), dx_col: matrixColumn(p.slice, p.row) });
    case 'dy_col':
      return boxes(g, { dx_col: matrixRow(p.slice, p.row), dw_col: matrixColumn(p.slice, p.col) });
    case 'y_col': {
      const { n, row, col } = outputOfRow(g, p.row);
      return sameCell(g, 'y', at(n, row, col, p.slice * g.group_k + p.col));
    }
    case 'dx_col':
      return sameCell(g, 'dx', pixelOfColumn(g, p));
    case 'dw_col':
      return sameCell(g, 'dw', { ...tapOfColumn(g, p.row), slice: p.slice * g.group_k + p.col });
    // A position past the kernel is cropped and has no target.
    case 'dw_uncropped':
    case 'dw_per_image':
      return sameCell(g, 'dw', { ...p, slice: p.slice % g.k });
    default:
      return [];
  }
}
