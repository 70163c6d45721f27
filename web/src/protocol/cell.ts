import type { Geometry, StageName, TensorName } from './problem';

/** All grids of cells. C is the convolution of one image as a matrix (geometry/conv-matrix.ts). */
export type GridName = TensorName | StageName | 'C';

/**
 * One cell of one grid. `index` is flat and row-major, in the layout's order for tensors. For the matrices of im2col (x_col,
 * w_col, y_col, ...) it is always that of the column order kh_kw_c, not transposed, independent of how they are shown.
 */
export interface Cell {
  readonly tensor: GridName;
  readonly index: number;
  /** The shown value of a cell of a stage: the page does not store the tensors of stages. */
  readonly value?: number;
  /** The revision of the problem of `value`. */
  readonly seenIn?: number;
}

/** An output of a layer, or its gradient, by its name in the view Network. */
export type NetworkTensor = `${'y' | 'dy'}${1 | 2 | 3 | 4}`;

/**
 * Hidden values: one cell, or all cells of a grid. Not for C: its entries are cells of w. In a network: only outputs of layers, their
 * gradients, and dx of its input.
 */
export interface Hidden {
  readonly tensor: GridName | NetworkTensor;
  /** Flat index as in Cell; null: all cells. */
  readonly index: number | null;
}

/** A cell, and the geometry of the view in which it was chosen: the current geometry may be another one by now. */
export interface AddressedCell extends Cell {
  readonly geometry: Geometry;
}
