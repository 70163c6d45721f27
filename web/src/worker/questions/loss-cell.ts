import { checkCount } from '../../engine/validate';
import type { Answerer } from '../answerer';

export const answerer: Answerer<'loss_cell'> = {
  fields: ['index'],
  answer({ heap }, { index }) {
    heap.must(heap.session.loss_cell(checkCount(index, 'index')));
    const [y = 0, target = 0, difference = 0, slope = 0, gradient = 0] = heap.copy('result');
    heap.release('result');
    return { y, target, difference, slope, gradient };
  },
  hide(_context, { index }, answer, masks) {
    if (!masks.hides('y', index) && !masks.hides('dy', index)) return answer;
    // The target is hidden, too: it may be derived from y.
    const visible = (value: number) => (masks.hides('y', index) ? Number.NaN : value);
    const no = Number.NaN;
    return { y: visible(answer.y), target: visible(answer.target), difference: no, slope: no, gradient: no };
  },
};
