import { parseLink } from '../../../web/src/link/parse-link';
import type { Problem } from '../../../web/src/state/problem';

/** Case 4 of the notebook: padding and stride, x counting up, w counting down, all integers. */
export const notebook4 = (): Problem => parseLink('h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12').problem;
