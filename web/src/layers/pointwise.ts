import type { PlaneSizes, WindowSizes } from '../protocol/layers';
import { NO_PADDING } from '../protocol/problem';

/** A window of one cell, for layers that compute each cell from one. */
export const pointwise = {
  pointwise: true,
  window: (_: unknown, { c }: PlaneSizes): WindowSizes => ({
    ...{ k: c, kh: 1, kw: 1, stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1, groups: c },
    ...{ padding_mode: 'explicit_sides', padding: NO_PADDING },
  }),
  fault: () => null,
} as const;
