import { cellName } from '../../geometry/labels';
import { lossEntry } from '../../losses/entries';
import type { Content } from '../../protocol/messages';
import type { Cell, Geometry } from '../../protocol/problem';
import { formatExact } from '../../ui/numbers';
import { cellSumOf } from '../questions/cell-sum';
import { valueIn } from '../questions/value-in';

/** "dx[1,1] is −1: the sum of 4 products.", for a screen reader; empty if the value is not known. */
export function cellSentence({ geometry: g, tensors, loss, revision }: Content, cell: Cell): string {
  const value = valueIn(g, tensors, cell) ?? (cell.seenIn === revision ? cell.value : null) ?? null;
  if (value === null) return '';
  const what =
    cell.tensor === 'dy' && loss ? `: the gradient of ${lossEntry(loss.kind).phrase}` : sumWords(g, tensors, cell);
  return `${cellName(g, cell)} is ${formatExact(value)}${what}.`;
}

function sumWords(g: Geometry, tensors: Content['tensors'], cell: Cell): string {
  const sum = cellSumOf(g, cell, tensors.b !== undefined);
  if (!sum?.planes || sum.page.total === 0) return '';
  const { total, b } = sum.page;
  const parts = b ? 'product' : 'cell';
  const bias = sum.bias ? `, and ${sum.bias.label}` : '';
  return `: the sum of ${total.toLocaleString('en')} ${parts}${total === 1 ? '' : 's'}${b ? '' : ' of dy'}${bias}`;
}
