import { sumFormula } from '../../geometry/formula';
import { cellLabel } from '../../geometry/labels';
import { planesOf, terms } from '../../geometry/terms';
import { type Cell, type Geometry, isTensor, type TensorName } from '../../protocol/problem';

/** A cell of dw of a large image has a million terms; only the first ones are requested and listed. */
const MAX_TERMS = 1024;

export type CellSum = NonNullable<ReturnType<typeof cellSumOf>>;

/**
 * The sum behind a cell, as indices of its factors; the library computes the values. Null for cells of inputs. `bias`: whether
 * the problem has one. `added`: the cell of b that is added to dx of a transposed convolution.
 */
export function cellSumOf(g: Geometry, cell: Cell, bias: boolean, added: Cell | null = null) {
  const page = terms(g, cell, MAX_TERMS);
  if (!page) return null;
  const { total, a, b, index_a, index_b } = page;
  const planes = planesOf(g, cell);
  const perPlane = planes ? planes.rows * planes.cols : 0;
  const summed = isTensor(a) && (b === null || isTensor(b)) && index_a.length > 0 && perPlane > 0;
  const ofBias = added ?? page.bias;
  const formula = sumFormula(g, cell, bias);
  const of = { tensor: cell.tensor, index: cell.index };
  return {
    formula: formula && added ? { ...formula, text: `${formula.text} + ${cellLabel(g, added)}` } : formula,
    /** Its first terms: all of them unless `complete` is false. */
    page,
    /** How the terms are drawn; null for a copy, which has one term. */
    planes,
    bias: bias && ofBias ? { cell: ofBias, label: cellLabel(g, ofBias) } : null,
    /** The question for the products; null if there is nothing to add. */
    question: summed
      ? ({ kind: 'products', a, b: b as TensorName | null, index_a, index_b, run: perPlane, of } as const)
      : null,
    complete: total === index_a.length,
  };
}
