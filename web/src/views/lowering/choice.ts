import type { MatrixForm } from '../../geometry/grid';
import { outputPositions, windowCells } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import type { FoldMode, Geometry } from '../../protocol/problem';

import { type MatrixProduct, PRODUCTS } from './matrix-products';

/** THE LIST of parts, in the order of the algorithm. */
export const PARTS = [
  { value: 'unroll', label: '1 im2col' },
  { value: 'products', label: '2 Three products' },
  { value: 'fold', label: '3 col2im' },
] as const;
export type Part = (typeof PARTS)[number]['value'];

/** What hovering an entry of x_col highlights. */
export const FOLLOWS = [
  { value: 'row', label: 'window (row)' },
  { value: 'column', label: 'weight (column)' },
  { value: 'copies', label: 'copies of a pixel' },
] as const;
export type Follow = (typeof FOLLOWS)[number]['value'];

export const MODES: readonly { readonly value: FoldMode; readonly label: string }[] = [
  { value: 'sum', label: 'add' },
  { value: 'average', label: 'average' },
  { value: 'overwrite', label: 'overwrite' },
];

export interface LoweringChoice {
  readonly part: Part;
  readonly form: MatrixForm;
  readonly follow: Follow;
  /** Rows of x_col that are copied. */
  readonly rows: number;
  readonly product: MatrixProduct;
  readonly mode: FoldMode;
  /** Rows of dx_col that are added to dx. */
  readonly folded: number;
}

export function choiceOf(g: Geometry, state: ViewState): LoweringChoice {
  const rows = outputPositions(g);
  const product = PRODUCTS.find(({ id }) => id === state.lane) ?? PRODUCTS[0];
  return {
    part: among(PARTS, state.part),
    form: { order: state.order === 'c_kh_kw' ? 'c_kh_kw' : 'kh_kw_c', transposed: state.transposed === true },
    follow: among(FOLLOWS, state.follow),
    rows: stepsOf(state.rows, rows),
    product,
    mode: among(MODES, state.mode),
    folded: stepsOf(state.folded, rows),
  };
}

function among<V extends string>(options: readonly { readonly value: V }[], wanted: unknown): V {
  const [first] = options;
  if (!first) throw new Error('a list to choose from is empty');
  return options.find(({ value }) => value === wanted)?.value ?? first.value;
}

/** All steps, until the player is used. */
const stepsOf = (wanted: unknown, total: number): number =>
  typeof wanted === 'number' ? Math.max(0, Math.min(total, Math.round(wanted))) : total;

/** Maximum number of entries of a matrix that the page draws. */
const MOST_ENTRIES = 4_000_000;

/** Entries of x_col, all groups. */
export const entriesOf = (g: Geometry): number => g.groups * outputPositions(g) * windowCells(g);

export const isDrawable = (g: Geometry): boolean => entriesOf(g) <= MOST_ENTRIES && entriesOf(g) > 0;
