import { stepCount } from '../../geometry/steps';
import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';

/** Windows that were walked over; none until somebody plays. */
export function windowsOf(g: Geometry, { t }: ViewState): number {
  return typeof t === 'number' ? Math.max(0, Math.min(stepCount(g, 'forward'), Math.round(t))) : 0;
}
