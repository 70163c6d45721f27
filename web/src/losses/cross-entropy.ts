import type { LossEntry } from './loss';

export const crossEntropy: LossEntry = {
  label: 'cross-entropy',
  mean: 'softmax with cross-entropy: the mean over positions of −Σ target · log p, where p = softmax(y) over the channels',
  phrase: 'softmax with cross-entropy',
  formula: (positions) => `L = −Σ target · log softmax(y) / ${positions}`,
  slope: null,
  noTarget: 'class 0, the first channel',
  check: {
    label: 'cross-entropy',
    text: 'This loss is curved. A large ε measures a chord, not the slope. A small ε is dominated by rounding. So the best step is in between.',
  },
};
