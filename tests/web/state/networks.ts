import '../../../web/src/link/network-fields';
import { parseLink } from '../../../web/src/link/parse-link';
import type { EditResult, Problem } from '../../../web/src/state/problem';

/** conv 3 × 3 -> ReLU -> max pooling 2 × 2 -> conv 3 × 3 -> squared error: 12 -> 10 -> 10 -> 5 -> 3. */
export const FOUR =
  'h=12&kh=3&x=random:1&weights=random:2&layer.2=relu&layer.3=max_pool;kernel:2&layer.4=conv;kh:3;kw:3;weights:random:3&dy=mse:0';

export const opened = (link = FOUR): Problem => parseLink(link).problem;

export function made(result: EditResult): Problem {
  if ('error' in result) throw new Error(result.error.message);
  return result.problem;
}

export const errorOf = (result: EditResult): string => ('error' in result ? result.error.message : 'none');
