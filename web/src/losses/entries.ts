import { absoluteError } from './absolute-error';
import { crossEntropy } from './cross-entropy';
import type { LossKind } from './list';
import { logCosh } from './log-cosh';
import type { LossEntry } from './loss';
import { squaredError } from './squared-error';

export const LOSSES: Readonly<Record<LossKind, LossEntry>> = {
  mse: squaredError,
  log_cosh: logCosh,
  absolute_error: absoluteError,
  cross_entropy: crossEntropy,
};

/** Of the name in a result. */
export const lossEntry = (kind: string): LossEntry => LOSSES[kind as LossKind];
