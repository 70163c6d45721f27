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
  // A row of dx_col is a product, from which a hidden factor could be derived.
  hide(_context, { positions }, { total, tensor }, masks) {
    const visible = positions === 'all' || positions >= total || !(masks.any('w') || masks.any('dy'));
    return { total, tensor: visible ? masks.blank(tensor, 'dx') : masks.blankWhere(tensor, () => true) };
  },
};

/** For the session -1 means all rows. */
function foldedRows(positions: FoldAsk['positions']): number {
  if (positions === 'all') return -1;
  const rows = checkCount(positions, 'positions');
  if (rows >= 0) return rows;
  throw new ConvFailure('invalid_argument', 'positions', `positions is ${rows}, but must be at least 0`);
}
