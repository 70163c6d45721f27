import type { LossName } from '../../protocol/problem';
import type { Option } from '../../ui/controls/Choice';

export const LOSS_OPTIONS: readonly Option<LossName>[] = [
  { value: 'linear', label: 'linear', hint: 'sum of y times dy: the loss of the board' },
  { value: 'mse', label: 'squared', hint: 'half the mean of (y minus target) squared' },
  { value: 'log_cosh', label: 'log-cosh', hint: 'the mean of log(cosh(y minus target))' },
];

interface Lesson {
  readonly formula: string;
  /** What the plot shows, and why. */
  readonly text: string;
}

export const LESSONS: Readonly<Record<LossName, Lesson>> = {
  linear: {
    formula: 'L = Σ y · dy',
    text: 'A convolution is linear in each of its numbers, and so is this loss: the line through two points is the slope itself, however far apart they are. Only rounding is left, and it weighs more the smaller ε is. A smaller step makes it worse, never better.',
  },
  mse: {
    formula: 'L = Σ (y − target)² / 2N',
    text: 'Now L is a parabola in each number. The chord between v − ε and v + ε has exactly the slope in the middle, so again there is no error from a large ε: a smaller step only lets rounding in.',
  },
  log_cosh: {
    formula: 'L = Σ log cosh(y − target) / N',
    text: 'This loss is curved. A large ε measures a chord and not the slope (the error falls with ε²); a small one drowns in rounding. Only here the best step lies in between, and the plot is the famous U.',
  },
};

/** Losses other than the board's send back a dy of their own. */
export const OTHER_LOSS =
  'The target is made up: close to y, so that the curve is felt. This loss sends back a dy of its own, so this gradient is not the one on the board.';
