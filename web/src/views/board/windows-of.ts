import { stepCount } from '../../geometry/steps';
import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';

/** Windows done by the player; 0 until it is used. */
export function windowsOf(g: Geometry, { t }: ViewState): number {
  return typeof t === 'number' ? Math.max(0, Math.min(stepCount(g, 'forward'), Math.round(t))) : 0;
}
