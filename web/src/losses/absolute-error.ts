import type { LossEntry } from './loss';

export const absoluteError: LossEntry = {
  label: 'absolute error',
  mean: 'the mean of |y − target|',
  phrase: 'an absolute error',
  formula: (cells) => `L = Σ |y − target| / ${cells}`,
  slope: (difference) => `sign(${difference})`,
  noTarget: 'the target 0',
  check: {
    label: 'absolute',
    text: 'This loss is straight on both sides of the target, so only rounding remains. A step that takes y across its target measures neither slope: the loss has a kink there.',
  },
};
