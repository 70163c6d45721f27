import { PLAIN_FORM } from '../../geometry/grid';
import { shownGrid } from '../../geometry/matrix';
import type { Geometry, Pass, StageName } from '../../protocol/problem';

export type MatrixName = Extract<StageName, `${string}_col`>;

export interface Operand {
  readonly name: MatrixName;
  readonly transposed: boolean;
}

/** One of the three products of the lowering: a times b is c. */
export interface Lane {
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
const turned = (name: MatrixName): Operand => ({ name, transposed: true });

/** THE LIST of products. */
export const LANES: readonly [Lane, ...Lane[]] = [
  {
    id: 'y',
    a: plain('x_col'),
    b: plain('w_col'),
    c: plain('y_col'),
    pass: 'forward',
    algorithm: 'im2col_gemm',
    idea: 'Each row of x_col is a window, each column of w_col a filter: every output is one row times one column.',
  },
  {
    id: 'dw',
    a: turned('x_col'),
    b: plain('dy_col'),
    c: plain('dw_col'),
    pass: 'backward_weights',
    algorithm: 'im2col_gemm',
    idea: 'x_col on its side: each of its rows is all that one weight ever met. Times dy, and the products added up, it is what the weight hears.',
  },
  {
    id: 'dx',
    a: plain('dy_col'),
    b: turned('w_col'),
    c: plain('dx_col'),
    pass: 'backward_data',
    algorithm: 'col2im',
    idea: 'w_col on its side sends each dy back to every copy of a pixel. The copies are not dx yet: the next part folds them back.',
  },
];

export const symbolOf = ({ name, transposed }: Operand): string => (transposed ? `${name}ᵀ` : name);

/** "y_col = x_col · w_col" */
export const formulaOf = ({ a, b, c }: Lane): string => `${symbolOf(c)} = ${symbolOf(a)} · ${symbolOf(b)}`;

/** Rows and columns of an operand as it is drawn. */
export function sizeOf(g: Geometry, { name, transposed }: Operand): { readonly rows: number; readonly cols: number } {
  const { row, col } = shownGrid(g, name, { ...PLAIN_FORM, transposed }).size;
  return { rows: row, cols: col };
}
