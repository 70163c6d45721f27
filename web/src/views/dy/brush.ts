import type { ViewState } from '../../look/look';
import type { Brush } from './use-brush';

/** The first is what painting begins with: dy mostly is ones or zeros then, and the first stroke has to show. */
export const VALUES = [-1, 1, 0] as const;
export const REACHES = [0, 1, 4] as const;

export const brushOf = ({ value, reach }: ViewState): Brush => ({
  value: VALUES.find((entry) => entry === value) ?? VALUES[0],
  reach: REACHES.find((entry) => entry === reach) ?? REACHES[0],
});
