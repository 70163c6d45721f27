import { stepCount } from '../../../geometry/steps';
import type { Geometry } from '../../../protocol/problem';
import type { Watched } from './processes';

/** Where nothing was chosen yet: early enough that much remains, late enough that something is done. */
const START = 0.3;

/** The number of steps to show, within those that there are. */
export function stepsOf(g: Geometry, { process }: Watched, t: unknown): number {
  const total = stepCount(g, process);
  return typeof t === 'number' ? Math.max(0, Math.min(total, Math.round(t))) : Math.ceil(total * START);
}
