import { PLAIN_FORM } from '../../geometry/grid';
import { shownGrid } from '../../geometry/matrix';
import type { Geometry, Pass, StageName } from '../../protocol/problem';

export type MatrixName = Extract<StageName, `${string}_col`>;

export interface Operand {
  readonly name: MatrixName;
  readonly transposed: boolean;
}

/** One of the three matrix products: a · b = c. */
export interface MatrixProduct {
  readonly id: string;
  readonly a: Operand;
  readonly b: Operand;
  readonly c: Operand;
  readonly pass: Pass;
  /** The algorithm that multiplies these matrices. */
  readonly algorithm: string;
  readonly idea: string;
}

const plain = (name: MatrixName): Operand => ({ name, transposed: false });
const transposed = (name: MatrixName): Operand => ({ name, transposed: true });

/** THE LIST of products. */
export const PRODUCTS: readonly [MatrixProduct, ...MatrixProduct[]] = [
  {
    id: 'y',
    a: plain('x_col'),
    b: plain('w_col'),
    c: plain('y_col'),
    pass: 'forward',
    algorithm: 'im2col_gemm',
    idea: 'Each row of x_col is a window, each column of w_col a filter. Each output is one row times one column.',
  },
  {
    id: 'dw',
    a: transposed('x_col'),
    b: plain('dy_col'),
    c: plain('dw_col'),
    pass: 'backward_weights',
    algorithm: 'im2col_gemm',
    idea: 'Row i of x_colᵀ holds every input that weight i multiplied. Its dot product with dy is the gradient of that weight.',
  },
  {
    id: 'dx',
    a: plain('dy_col'),
    b: transposed('w_col'),
    c: plain('dx_col'),
    pass: 'backward_data',
    algorithm: 'col2im',
    idea: 'w_colᵀ sends each dy to every copy of a pixel. The copies are not dx yet: the next part, col2im, adds them up.',
  },
];

export const symbolOf = ({ name, transposed }: Operand): string => (transposed ? `${name}ᵀ` : name);

/** "y_col = x_col · w_col" */
export const formulaOf = ({ a, b, c }: MatrixProduct): string => `${symbolOf(c)} = ${symbolOf(a)} · ${symbolOf(b)}`;

/** Rows and columns of an operand as drawn. */
export function sizeOf(g: Geometry, { name, transposed }: Operand): { readonly rows: number; readonly cols: number } {
  const { row, col } = shownGrid(g, name, { ...PLAIN_FORM, transposed }).size;
  return { rows: row, cols: col };
}
