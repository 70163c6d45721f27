import { type SumFormula, sumFormula } from '../../geometry/formula';
import { cellLabel } from '../../geometry/labels';
import { planesOf, type SumPlanes, type Terms, terms } from '../../geometry/terms';
import type { Cell } from '../../protocol/cell';
import type { Geometry, TensorName } from '../../protocol/problem';
import type { QuestionOf } from '../../protocol/questions';
import { isTensor } from '../../protocol/tensors';

/** The sum behind a cell, as indices of its factors. The library computes the values. */
export interface CellSum {
  readonly formula: SumFormula | null;
  /** Its first terms: all of them unless `complete` is false. */
  readonly page: Terms;
  /** How the terms are drawn; null for a copy, which has one term. */
  readonly planes: SumPlanes | null;
  readonly bias: { readonly cell: Cell; readonly label: string } | null;
  /** The question for the products; null if there is nothing to add. */
  readonly question: QuestionOf<'products'> | null;
  readonly complete: boolean;
}

/** A cell of dw of a large image has a million terms; only the first ones are requested and listed. */
const MAX_TERMS = 1024;

/** Null for cells of inputs. `bias`: whether the problem has one. */
export function cellSumOf(g: Geometry, cell: Cell, bias: boolean): CellSum | null {
  const page = terms(g, cell, { offset: 0, limit: MAX_TERMS });
  if (!page) return null;
  const { total, a, b, index_a, index_b } = page;
  const planes = planesOf(g, cell);
  const perPlane = planes ? planes.rows * planes.cols : 0;
  const summed = isTensor(a) && (b === null || isTensor(b)) && index_a.length > 0 && perPlane > 0;
  return {
    formula: sumFormula(g, cell, bias),
    page,
    planes,
    bias: bias && page.bias ? { cell: page.bias, label: cellLabel(g, page.bias) } : null,
    question: summed
      ? {
          kind: 'products',
          a,
          b: b as TensorName | null,
          index_a,
          index_b,
          run: perPlane,
          of: { tensor: cell.tensor, index: cell.index },
        }
      : null,
    complete: total === index_a.length,
  };
}
