import { ConvFailure } from '../../engine/failure';
import { checkCount, checkMember } from '../../engine/validate';
import type { FoldAsk } from '../../protocol/questions';
import type { Answerer } from '../answerer';

export const answerer: Answerer<'fold'> = {
  fields: ['mode', 'positions'],
  answer({ module, heap }, question) {
    const mode = checkMember(module.FoldMode, question.mode, 'mode');
    const { status, shape, total_steps: total } = heap.session.fold(mode, foldedRows(question.positions));
    heap.must(status);
    const tensor = heap.read('result', shape);
    heap.release('stage');
    heap.release('result');
    return { total, tensor };
  },
  // What one row of dx_col brings is a product: beside a hidden factor it would tell the other.
  hide(_asked, { positions }, { total, tensor }, masks) {
    const told = positions === 'all' || positions >= total || !(masks.any('w') || masks.any('dy'));
    return { total, tensor: told ? masks.blank(tensor, 'dx') : masks.blankWhere(tensor, () => true) };
  },
};

/** The session takes a negative number for all rows. */
function foldedRows(positions: FoldAsk['positions']): number {
  if (positions === 'all') return -1;
  const rows = checkCount(positions, 'positions');
  if (rows >= 0) return rows;
  throw new ConvFailure('invalid_argument', 'positions', `positions is ${rows}, but must be at least 0`);
}
