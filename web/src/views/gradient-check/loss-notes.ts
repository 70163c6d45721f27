import type { LossName } from '../../protocol/problem';
import type { Option } from '../../ui/controls/Choice';

export const LOSS_OPTIONS: readonly Option<LossName>[] = [
  { value: 'linear', label: 'linear', hint: 'the sum of y times dy: the loss of the Overview' },
  { value: 'mse', label: 'squared', hint: 'half the mean of (y − target) squared' },
  { value: 'log_cosh', label: 'log-cosh', hint: 'the mean of log(cosh(y − target))' },
];

interface LossNote {
  readonly formula: string;
  /** Explains the plot. */
  readonly text: string;
}

export const LOSS_NOTES: Readonly<Record<LossName, LossNote>> = {
  linear: {
    formula: 'L = Σ y · dy',
    text: 'This loss is linear in each value, so the line through two points has the exact slope for any ε. Only rounding remains, and it grows as ε shrinks.',
  },
  mse: {
    formula: 'L = Σ (y − target)² / 2N',
    text: 'L is a parabola in each value. The chord from v − ε to v + ε has exactly the slope at v, so a large ε causes no error. A smaller step only adds rounding.',
  },
  log_cosh: {
    formula: 'L = Σ log cosh(y − target) / N',
    text: 'This loss is curved. A large ε measures a chord, not the slope (the error shrinks with ε²). A small ε is dominated by rounding. So the best step is in between, and the plot is U-shaped.',
  },
};

/** Shown with every loss other than the linear one: its dy is its own. */
export const OTHER_LOSS =
  'The target is generated close to y, where the loss is curved. This loss has its own dy, so this gradient is not the one in the Overview.';
