import { absoluteError } from './absolute-error';
import type { LossKind } from './list';
import { logCosh } from './log-cosh';
import type { LossEntry } from './loss';
import { squaredError } from './squared-error';

export const LOSSES: Readonly<Record<LossKind, LossEntry>> = {
  mse: squaredError,
  log_cosh: logCosh,
  absolute_error: absoluteError,
};

/** Of the name in a result. */
export const lossEntry = (kind: string): LossEntry => LOSSES[kind as LossKind];
