import type { Pass } from '../protocol/problem';

/** The tensor that each pass computes. */
export const PASS_RESULT: Readonly<Record<Pass, string>> = {
  forward: 'y',
  backward_data: 'dx',
  backward_weights: 'dw',
  backward_bias: 'db',
};
