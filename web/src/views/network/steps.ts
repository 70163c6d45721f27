import { chosenSteps } from '../shared/plane';
import type { Net, NetTensorId, Side } from './net';

/**
 * The steps of the player: forward through each layer, where the cone closes on the pointed cell; then dy at the end; then backward through
 * each layer, where it opens again.
 */
export interface NetStep {
  readonly t: number;
  readonly total: number;
}

export const netStepCount = ({ layers }: Net): number => 2 * layers.length + 1;

/** null: no step is chosen, and all cells are shown. `t` can come from a link. */
export function stepOf(net: Net, t: unknown): NetStep | null {
  const total = netStepCount(net);
  const steps = chosenSteps(t, total, 0);
  return steps > 0 ? { t: steps, total } : null;
}

/** Whether the steps have computed a tensor. The gradient of weights is computed with that of their input. */
export function isComputed(
  { layers }: Net,
  step: NetStep | null,
  { at, of, side }: NetTensorId & { readonly side: Side },
): boolean {
  if (!step) return true;
  if (side === 'value') return of !== undefined || at <= step.t;
  return step.t >= 2 * layers.length + 1 - at;
}
