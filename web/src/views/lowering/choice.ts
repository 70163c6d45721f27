import type { MatrixForm } from '../../geometry/grid';
import { outputPositions, windowCells } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import type { FoldMode, Geometry } from '../../protocol/problem';

import { LANES, type Lane } from './lanes';

/** THE LIST of the parts, as one tells the story. */
export const PARTS = [
  { value: 'unroll', label: '1 Unroll x' },
  { value: 'products', label: '2 Three products' },
  { value: 'fold', label: '3 Fold back' },
] as const;
export type Part = (typeof PARTS)[number]['value'];

/** What one sees of an entry of x_col that one points at. */
export const FOLLOWS = [
  { value: 'row', label: 'its window' },
  { value: 'column', label: 'its tap' },
  { value: 'copies', label: 'its pixel' },
] as const;
export type Follow = (typeof FOLLOWS)[number]['value'];

export const MODES: readonly { readonly value: FoldMode; readonly label: string }[] = [
  { value: 'sum', label: 'add' },
  { value: 'average', label: 'average' },
  { value: 'overwrite', label: 'overwrite' },
];

export interface Choice {
  readonly part: Part;
  readonly form: MatrixForm;
  readonly follow: Follow;
  /** Rows of x_col that are laid out. */
  readonly rows: number;
  readonly lane: Lane;
  readonly mode: FoldMode;
  /** Rows of dx_col that are folded back. */
  readonly folded: number;
}

export function choiceOf(g: Geometry, state: ViewState): Choice {
  const rows = outputPositions(g);
  const lane = LANES.find(({ id }) => id === state.lane) ?? LANES[0];
  return {
    part: among(PARTS, state.part),
    form: { order: state.order === 'c_kh_kw' ? 'c_kh_kw' : 'kh_kw_c', transposed: state.transposed === true },
    follow: among(FOLLOWS, state.follow),
    rows: stepsOf(state.rows, rows),
    lane,
    mode: among(MODES, state.mode),
    folded: stepsOf(state.folded, rows),
  };
}

function among<V extends string>(options: readonly { readonly value: V }[], wanted: unknown): V {
  const [first] = options;
  if (!first) throw new Error('a list to choose from is empty');
  return options.find(({ value }) => value === wanted)?.value ?? first.value;
}

/** Everything done, until somebody scrubs. */
const stepsOf = (wanted: unknown, total: number): number =>
  typeof wanted === 'number' ? Math.max(0, Math.min(total, Math.round(wanted))) : total;

/** Entries of a matrix that this page draws; beyond, copying it costs more than looking at it gives. */
const MOST_ENTRIES = 4_000_000;

/** Entries of x_col, all groups. */
export const entriesOf = (g: Geometry): number => g.groups * outputPositions(g) * windowCells(g);

export const isDrawable = (g: Geometry): boolean => entriesOf(g) <= MOST_ENTRIES && entriesOf(g) > 0;
