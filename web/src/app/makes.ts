import type { Pass } from '../protocol/problem';

/** What a pass makes. */
export const MAKES: Readonly<Record<Pass, string>> = {
  forward: 'y',
  backward_data: 'dx',
  backward_weights: 'dw',
  backward_bias: 'db',
};
