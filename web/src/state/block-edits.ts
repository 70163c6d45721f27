import type { ConvDesc, Geometry } from '../protocol/problem';
import { yShape } from '../protocol/shapes';
import { type InputName, KIND_OF, shapeOf, type TensorKind } from '../protocol/tensors';
import { painted } from '../sources/dy-sources';
import { indexAt, type Logical, logicalOf, positionAt } from '../sources/logical';
import { cellsIn, missingCellText } from './addressed-cells';
import { type EditResult, editDesc, HIDDEN_VALUES, refused } from './edits';
import type { Problem } from './problem';

/** A rectangle of values for one slice of an input; its first cell is the top left one. */
export interface Block {
  readonly tensor: InputName;
  /** Index of the first cell, in `geometry`. */
  readonly index: number;
  readonly geometry: Geometry;
  readonly rows: number;
  readonly cols: number;
  /** Row by row. */
  readonly values: Float32Array;
}

/** Axes of rows and columns in `logicalOf`; a bias has one row. */
const AXES: Readonly<Record<TensorKind, readonly [row: 0 | 1 | 2, col: 1 | 2 | 3]>> = {
  pixels: [1, 2],
  weights: [0, 1],
  bias: [2, 3],
};
type Size = 'h' | 'w' | 'kh' | 'kw' | 'k';
/** Sizes that can grow; the sizes of dy follow from the others. */
const SIZES: Readonly<Record<InputName, readonly [row: Size | null, col: Size | null]>> = {
  x: ['h', 'w'],
  w: ['kh', 'kw'],
  b: [null, 'k'],
  dy: [null, null],
};

const logicalIn = (desc: ConvDesc, tensor: InputName): Logical =>
  logicalOf(KIND_OF[tensor], desc.layout, shapeOf(tensor, desc));

export interface BlockFit {
  /** Position of the first cell. */
  readonly row: number;
  readonly col: number;
  /** Rows and columns that do not fit. */
  readonly over: readonly [rows: number, cols: number];
  /** Sizes with which the block fits; null if they follow from others. */
  readonly grown: Partial<ConvDesc> | null;
}

/** The position of a block; null if its first cell no longer exists. */
export function fitOf(desc: ConvDesc, block: Block): BlockFit | null {
  const { tensor, index, geometry, rows, cols } = block;
  const [first] = cellsIn(desc, { tensor, indices: [index], geometry });
  const logical = logicalIn(desc, tensor);
  const position = first === undefined ? null : positionAt(first, logical);
  if (!position) return null;
  const [rowAxis, colAxis] = AXES[KIND_OF[tensor]];
  const ends = [position[rowAxis] + rows, position[colAxis] + cols] as const;
  const over = [Math.max(0, ends[0] - logical.sizes[rowAxis]), Math.max(0, ends[1] - logical.sizes[colAxis])] as const;
  const grown: Partial<Record<Size, number>> = {};
  for (const axis of [0, 1] as const) {
    const size = SIZES[tensor][axis];
    if (over[axis] > 0 && size) grown[size] = ends[axis];
  }
  const grows = [0, 1].every((axis) => over[axis as 0 | 1] === 0 || SIZES[tensor][axis as 0 | 1] !== null);
  return { row: position[rowAxis], col: position[colAxis], over, grown: grows ? grown : null };
}

/** Pastes a block. Values that do not fit are left out, unless `grows`. `dy`: the values of dy in this problem. */
export function editBlock(problem: Problem, block: Block, grows: boolean, dy: Float32Array | null): EditResult {
  const { tensor: name, index, geometry, rows, cols, values } = block;
  const fit = fitOf(problem.desc, block);
  if (!fit) return refused(name, missingCellText(problem.desc, { tensor: name, indices: [index], geometry }));
  const sized = grows && fit.grown ? editDesc(problem, problem, fit.grown) : { problem };
  if ('error' in sized) return sized;
  const { desc } = sized.problem;
  const before = name === 'dy' ? dy : sized.problem[name]?.data;
  if (!before) return refused(name, `${name} is not computed yet`);
  if (before.some(Number.isNaN) && name === 'dy') return refused(name, HIDDEN_VALUES);
  const logical = logicalIn(desc, name);
  const start = positionAt(cellsIn(desc, { tensor: name, indices: [index], geometry })[0] ?? 0, logical);
  const [rowAxis, colAxis] = AXES[KIND_OF[name]];
  const data = before.slice();
  for (let row = 0; start && row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const at: [number, number, number, number] = [...start];
      at[rowAxis] += row;
      at[colAxis] += col;
      const cell = indexAt(at, logical);
      if (cell !== null) data[cell] = values[row * cols + col] ?? 0;
    }
  }
  if (name === 'dy') return { problem: { ...sized.problem, dy: painted(yShape(desc), data) } };
  const tensor = sized.problem[name];
  if (!tensor) return refused(name, `there is no ${name}`);
  return { problem: { ...sized.problem, [name]: { ...tensor, data, edited: true } } };
}
