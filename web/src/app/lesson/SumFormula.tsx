import type { Content } from '../../protocol/messages';
import type { Cell } from '../../protocol/problem';
import { Formula } from '../../ui/Formula';
import { sumOf, sumText } from '../../views/shared/written-sum';

/** The sum of a cell in one line, also of a hidden cell; nothing if it has more than `most` terms. */
export function SumFormula({ content, cell, most }: { content: Content | null; cell: Cell; most?: number }) {
  const sum = content && sumOf(content.geometry, content.tensors, cell);
  const text = sum && sumText(sum, most);
  return text && <Formula text={text} />;
}
