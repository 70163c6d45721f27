import type { Content } from '../../protocol/messages';
import type { Cell } from '../../protocol/problem';
import { Formula } from '../../ui/Formula';
import { sumOf, sumText } from '../../views/shared/written-sum';

interface SumFormulaProps {
  readonly content: Content | null;
  readonly cell: Cell;
  readonly most?: number;
  /** The cell of b that is added; by default that of a cell of y. */
  readonly added?: Cell | null;
}

/** The sum of a cell in one line, also of a hidden cell; nothing if it has more than `most` terms. */
export function SumFormula({ content, cell, most, added }: SumFormulaProps) {
  const sum = content && sumOf(content.geometry, content.tensors, cell, added);
  const text = sum && sumText(sum, most);
  return text && <Formula text={text} />;
}
