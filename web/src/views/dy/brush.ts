import type { ViewState } from '../../look/look';
import type { Brush } from './use-brush';

/** The first is the default: −1 shows on a dy of ones as well as of zeros. */
export const VALUES = [-1, 1, 0] as const;
export const REACHES = [0, 1, 4] as const;

export const brushOf = ({ value, reach }: ViewState): Brush => ({
  value: VALUES.find((entry) => entry === value) ?? VALUES[0],
  reach: REACHES.find((entry) => entry === reach) ?? REACHES[0],
});
