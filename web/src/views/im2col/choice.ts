import { type MatrixForm, outputPositions } from '../../geometry/grid';
import { rowOfOutput } from '../../geometry/matrix';
import type { ViewState } from '../../look/look';
import type { FoldMode, Geometry, Pass } from '../../protocol/problem';
import type { Option } from '../../ui/controls/Choice';
import type { MatrixName, Operand, Product } from '../shared/matrix-product';
import { chosenSteps } from '../shared/plane';
import { type Subject, tellingPosition } from '../shared/telling';

/** THE LIST of parts, in the order of the algorithm. */
export const LOWERING_PARTS = [
  { value: 'unroll', label: '1 im2col' },
  { value: 'products', label: '2 Three products' },
  { value: 'fold', label: '3 col2im' },
] as const;
export type LoweringPart = (typeof LOWERING_PARTS)[number]['value'];

/** What hovering an entry of x_col highlights. */
export const FOLLOWS = [
  { value: 'row', label: 'window', hint: 'a row of x_col' },
  { value: 'column', label: 'weight', hint: 'a column of x_col' },
  { value: 'copies', label: 'copies', hint: 'all copies of a pixel' },
] as const;
export type Follow = (typeof FOLLOWS)[number]['value'];

export const FOLD_MODES = [
  { value: 'sum', label: 'add' },
  { value: 'average', label: 'average' },
  { value: 'overwrite', label: 'overwrite' },
] as const satisfies readonly Option<FoldMode>[];

/** One of the three matrix products. */
interface NamedProduct extends Product {
  readonly id: string;
  readonly pass: Pass;
  /** The algorithm that multiplies these matrices. */
  readonly algorithm: string;
  readonly idea: string;
}

const plain = (name: MatrixName): Operand => ({ name, transposed: false });
const transposed = (name: MatrixName): Operand => ({ name, transposed: true });

/** THE LIST of products. */
export const PRODUCTS: readonly [NamedProduct, ...NamedProduct[]] = [
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
    idea: 'A column of x_col (a row of x_colᵀ) holds every input that one weight multiplied. Its dot product with dy is the gradient of that weight.',
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

export function loweringChoice(g: Geometry, state: ViewState) {
  const rows = outputPositions(g);
  const order = state.order === 'c_kh_kw' ? 'c_kh_kw' : 'kh_kw_c';
  const form: MatrixForm = { order, transposed: state.transposed === true };
  return {
    part: among(LOWERING_PARTS, state.part),
    form,
    follow: among(FOLLOWS, state.follow),
    // Rows of x_col that are copied, and of dx_col that are added to dx.
    rows: chosenSteps(state.rows, rows),
    product: PRODUCTS.find(({ id }) => id === state.lane) ?? PRODUCTS[0],
    mode: among(FOLD_MODES, state.mode),
    folded: chosenSteps(state.folded, rows),
  };
}

/** The row of x_col or dx_col that is outlined: of the last of the chosen steps, else of the window of the telling cell; −1: none. */
export function outlinedRow(of: Subject, tensor: 'y' | 'dy', chosen: unknown, steps: number): number {
  const isTelling = typeof chosen !== 'number' && steps > 0;
  return isTelling ? rowOfOutput(of.geometry, tellingPosition(of, tensor)) : steps - 1;
}

type Options<V> = readonly [{ readonly value: V }, ...{ readonly value: V }[]];

const among = <V extends string>(options: Options<V>, wanted: unknown) =>
  (options.find(({ value }) => value === wanted) ?? options[0]).value;
