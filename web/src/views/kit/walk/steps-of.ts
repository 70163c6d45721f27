import { stepCount } from '../../../geometry/steps';
import type { Geometry } from '../../../protocol/problem';
import type { ProcessInfo } from './processes';

/** The default: the first frame that shows a result, so that playing shows all the others. */
const START = 1;

/** The number of steps to show, clamped to the process. */
export function stepsOf(g: Geometry, { name }: ProcessInfo, t: unknown): number {
  const total = stepCount(g, name);
  return typeof t === 'number' ? Math.max(0, Math.min(total, Math.round(t))) : Math.min(total, START);
}
