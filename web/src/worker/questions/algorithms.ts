import { algorithmsOf } from '../../engine/session-heap';
import type { Answerer } from '../answerer';

export const answerer: Answerer<'algorithms'> = {
  fields: [],
  answer: ({ module, heap }) => ({
    forward: algorithmsOf(module, heap, 'forward'),
    backward_data: algorithmsOf(module, heap, 'backward_data'),
    backward_weights: algorithmsOf(module, heap, 'backward_weights'),
    backward_bias: algorithmsOf(module, heap, 'backward_bias'),
  }),
  // Depends only on sizes, not on values.
  hide: (_context, _question, answer) => answer,
};
