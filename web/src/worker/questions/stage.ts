import type { Answerer } from '../answerer';
import { checkFlag, checkMember } from '../validate';

export const answerer: Answerer<'stage'> = {
  fields: ['stage', 'order', 'transposed'],
  answer({ module, heap }, question) {
    const stage = checkMember(module.Stage, question.stage, 'stage');
    const order = checkMember(module.ColumnOrder, question.order, 'order');
    const transposed = checkFlag(question.transposed, 'transposed');
    const { status, shape } = heap.session.stage(stage, { order, transposed });
    heap.must(status);
    const tensor = heap.read('stage', shape);
    heap.release('stage');
    return tensor;
  },
};
