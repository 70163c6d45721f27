import type { GradientCheckResult } from '../../protocol/follow-ups';
import type { Precision } from '../kit/confirmed';
import { PRECISIONS } from './choice';

/** The library's answers in the form that the view reads them. Numbers are chosen and compared here, never computed. */

/** One cell nudged by one step. */
export interface Reading {
  readonly epsilon: number;
  readonly lossPlus: number;
  readonly lossMinus: number;
  readonly numeric: number;
  readonly analytic: number;
  readonly absolute: number;
  readonly relative: number;
}

export interface Sweep {
  readonly precision: Precision;
  readonly readings: readonly Reading[];
}

/** `checks` hold one cell each, in the order of PRECISIONS. */
export function sweepsOf(checks: readonly GradientCheckResult[]): readonly Sweep[] {
  return PRECISIONS.flatMap((precision, i) => {
    const check = checks[i];
    return check ? [{ precision, readings: readingsOf(check) }] : [];
  });
}

function readingsOf({ runs }: GradientCheckResult): readonly Reading[] {
  return runs.map(({ epsilon, cells }) => ({
    epsilon,
    lossPlus: cells.loss_plus[0] ?? Number.NaN,
    lossMinus: cells.loss_minus[0] ?? Number.NaN,
    numeric: cells.numeric[0] ?? Number.NaN,
    analytic: cells.analytic[0] ?? Number.NaN,
    absolute: cells.absolute_error[0] ?? Number.NaN,
    relative: cells.relative_error[0] ?? Number.NaN,
  }));
}

export function readingAt({ readings }: Sweep, epsilon: number): Reading | null {
  return readings.find((reading) => reading.epsilon === epsilon) ?? null;
}

/** The step with the smallest error; of several, the largest. */
export function bestOf({ readings }: Sweep): Reading | null {
  return readings.reduce<Reading | null>(
    (best, reading) => (best === null || reading.relative <= best.relative ? reading : best),
    null,
  );
}

/** Position of the largest value; NaN counts as larger than any number. */
export function worstOf(errors: Float64Array): number {
  let worst = 0;
  errors.forEach((error, i) => {
    const most = errors[worst] ?? 0;
    if (!Number.isNaN(most) && (error > most || Number.isNaN(error))) worst = i;
  });
  return worst;
}
