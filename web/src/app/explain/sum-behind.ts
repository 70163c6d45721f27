import { indexForm, type TermForm } from '../../geometry/labels';
import { terms } from '../../geometry/terms';
import type { Cell } from '../../protocol/cell';
import type { Geometry, TensorName } from '../../protocol/problem';
import type { QuestionOf } from '../../protocol/questions';

/** The sum behind a cell, by the indices of its factors; the numbers are the library's. */
export interface Sum {
  readonly terms: readonly TermForm[];
  readonly bias: { readonly cell: Cell; readonly label: string } | null;
  readonly total: number;
  readonly inPadding: number;
  readonly unmetTaps: number;
  /** What to ask for the products; null where there is nothing to multiply. */
  readonly question: QuestionOf<'products'> | null;
  /** The products are those of all terms, so their sum is the cell's. */
  readonly complete: boolean;
}

/** More terms than this say nothing to a reader, and a dw cell of an image has a million. */
const MOST_TERMS = 400;

const TENSORS: ReadonlySet<string> = new Set<TensorName>(['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db']);

const isTensor = (name: string): name is TensorName => TENSORS.has(name);

/** Null for cells that are given. */
export function sumBehind(g: Geometry, cell: Cell): Sum | null {
  const page = terms(g, cell, { offset: 0, limit: MOST_TERMS });
  if (!page) return null;
  const { total, inPadding, unmetTaps, a, b, index_a, index_b } = page;
  const products = b !== null && isTensor(a) && isTensor(b) && index_a.length > 0;
  return {
    ...indexForm(g, page, MOST_TERMS),
    total,
    inPadding,
    unmetTaps,
    question: products ? { kind: 'products', a, b, index_a, index_b } : null,
    complete: total === index_a.length,
  };
}
