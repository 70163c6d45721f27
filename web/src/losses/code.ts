import type { LossKind } from './list';

/**
 * A loss in code: lines that compute `loss` from {y} and target, which have the same shape. {axis}: of the channels. Those of NumPy also
 * compute {dy}; the frameworks differentiate.
 */
export interface LossCode {
  readonly numpy: string;
  readonly pytorch: string;
  readonly tensorflow: string;
  /** C++ in the form of snippets/cpp.ts: "for n i j" stands for three loops. Also computes {dy}. COUNT: of cells, or of positions. */
  readonly loops: string;
  /**
   * dy * COUNT is at most 1, and rounding is relative to that; otherwise each dy has three relative roundings: difference, slope and quotient.
   */
  readonly slopeUpToOne: boolean;
  /** Rounding of the loss is relative to 1 + loss, because logarithms of about 1 are subtracted; otherwise to the loss. */
  readonly subtractsLogarithms: boolean;
}

const perCell = (term: string, slope: string): string => `\
for n i j k
  double error = {y} - {target};
  loss += ${term} / COUNT;
  {dy} = ${slope} / COUNT;`;

export const LOSS_CODE: Readonly<Record<LossKind, LossCode>> = {
  mse: {
    numpy: `\
error = {y} - target
loss = (error**2).mean() / 2
{dy} = error / error.size`,
    pytorch: 'loss = F.mse_loss({y}, target) / 2',
    tensorflow: 'loss = tf.reduce_mean(tf.keras.losses.mean_squared_error(target, {y})) / 2',
    loops: perCell('error * error / 2', 'error'),
    ...{ slopeUpToOne: false, subtractsLogarithms: false },
  },
  log_cosh: {
    numpy: `\
error = {y} - target
loss = (np.logaddexp(error, -error) - np.log(2)).mean()  # log(cosh(error)) without overflow
{dy} = np.tanh(error) / error.size`,
    pytorch: `\
error = {y} - target
# log(cosh(error)) without overflow: log(e^error + e^-error) - log(2)
loss = (torch.logaddexp(error, -error) - 0.6931471805599453).mean()`,
    tensorflow: 'loss = tf.reduce_mean(tf.keras.losses.log_cosh(target, {y}))',
    loops: perCell(
      '(std::abs(error) + std::log1p(std::exp(-2 * std::abs(error))) - std::log(2.0))',
      'std::tanh(error)',
    ),
    ...{ slopeUpToOne: false, subtractsLogarithms: true },
  },
  absolute_error: {
    numpy: `\
error = {y} - target
loss = np.abs(error).mean()
{dy} = np.sign(error) / error.size`,
    pytorch: 'loss = F.l1_loss({y}, target)',
    tensorflow: 'loss = tf.reduce_mean(tf.keras.losses.mean_absolute_error(target, {y}))',
    loops: perCell('std::abs(error)', '((error > 0) - (error < 0))'),
    ...{ slopeUpToOne: false, subtractsLogarithms: false },
  },
  cross_entropy: {
    numpy: `\
shifted = {y} - {y}.max(axis={axis}, keepdims=True)
log_p = shifted - np.log(np.exp(shifted).sum(axis={axis}, keepdims=True))  # p: softmax over the channels
positions = {y}.size // {y}.shape[{axis}]
loss = -(target * log_p).sum() / positions
{dy} = (np.exp(log_p) * target.sum(axis={axis}, keepdims=True) - target) / positions  # p - target: each target sums to 1`,
    pytorch: 'loss = F.cross_entropy({y}{channels_first}, target{channels_first})',
    // The gradient of softmax_cross_entropy_with_logits is p - target also where the sum of the target is not exactly 1.
    tensorflow: `\
log_p = tf.nn.log_softmax({y}, axis={axis})  # p: softmax over the channels
loss = tf.reduce_mean(-tf.reduce_sum(target * log_p, axis={axis}))`,
    loops: `\
for n i j
  double largest = {first};
  for k
    largest = std::max(largest, {y});
  double total = 0, targets = 0;
  for k
    total += std::exp({y} - largest);
    targets += {target};
  for k
    double log_p = {y} - largest - std::log(total);
    loss -= {target} * log_p / COUNT;
    {dy} = (std::exp(log_p) * targets - {target}) / COUNT;`,
    ...{ slopeUpToOne: true, subtractsLogarithms: true },
  },
};
