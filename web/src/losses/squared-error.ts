import type { LossEntry } from './loss';

export const squaredError: LossEntry = {
  label: 'squared error',
  mean: 'half the mean of (y − target)²',
  phrase: 'a squared error',
  formula: (cells) => `L = Σ (y − target)² / ${cells === 'N' ? '(2N)' : 2 * cells}`,
  slope: null,
  noTarget: 'the target 0',
  check: {
    label: 'squared',
    text: 'L is a parabola in each value. The chord from v − ε to v + ε has exactly the slope at v, so a large ε causes no error. A smaller step only adds rounding.',
  },
};
