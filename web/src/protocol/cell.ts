import type { Geometry, StageName, TensorName } from './problem';

/** Everything that has cells to point at. C is the convolution of one image as a matrix (geometry/conv-matrix.ts). */
export type GridName = TensorName | StageName | 'C';

/**
 * One cell of one tensor. `index` is flat and row-major: in the layout's order for tensors, and for the matrices of the
 * lowering (x_col, w_col, y_col, ...) in their plain form, column order kh_kw_c, not transposed, however they are shown,
 * so that a cell keeps its address when the picture is turned.
 */
export interface Cell {
  readonly tensor: GridName;
  readonly index: number;
  /** What the picture shows there, if the cell is of a stage: the page keeps no tensors of stages to look it up in. */
  readonly value?: number;
  /** The revision of the problem that the value is of: of another it says nothing. */
  readonly seenIn?: number;
}

/** Numbers that are hidden: one cell, or all of a grid. Not of C, whose entries are cells of w. */
export interface Hidden {
  readonly tensor: GridName;
  /** Flat, as a cell's; null: all cells. */
  readonly index: number | null;
}

/** A cell and the geometry of the picture that it was pointed at in: by the time somebody acts on it, another may be in force. */
export interface Place extends Cell {
  readonly geometry: Geometry;
}
