import type { Answerer } from '../answerer';
import { checkCount, checkMember } from '../validate';

export const answerer: Answerer<'partial'> = {
  fields: ['process', 'steps'],
  answer({ module, heap }, question) {
    const process = checkMember(module.Process, question.process, 'process');
    const { status, shape, total_steps: total } = heap.session.partial(process, checkCount(question.steps, 'steps'));
    heap.must(status);
    const tensor = heap.read('result', shape);
    heap.release('result');
    return { total, tensor };
  },
};
