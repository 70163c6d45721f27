import type { LossEntry } from './loss';

export const logCosh: LossEntry = {
  label: 'log-cosh error',
  mean: 'the mean of log(cosh(y − target))',
  phrase: 'the log-cosh of an error',
  formula: (cells) => `L = Σ log cosh(y − target) / ${cells}`,
  slope: (difference) => `tanh(${difference})`,
  noTarget: 'the target 0',
  check: {
    label: 'log-cosh',
    text: 'This loss is curved. A large ε measures a chord, not the slope (the error shrinks with ε²). A small ε is dominated by rounding. So the best step is in between, and the plot is U-shaped.',
  },
};
