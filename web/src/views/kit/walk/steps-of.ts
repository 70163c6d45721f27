import { stepCount } from '../../../geometry/steps';
import type { Geometry } from '../../../protocol/problem';
import type { Watched } from './processes';

/** Where nothing was chosen yet: the first frame that shows something done, so that playing shows all the others. */
const START = 1;

/** The number of steps to show, within those that there are. */
export function stepsOf(g: Geometry, { process }: Watched, t: unknown): number {
  const total = stepCount(g, process);
  return typeof t === 'number' ? Math.max(0, Math.min(total, Math.round(t))) : Math.min(total, START);
}
