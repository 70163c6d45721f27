import { descOn, type WindowSizes } from '../../protocol/layers';
import { NO_PADDING } from '../../protocol/problem';
import { checkDesc } from '../../protocol/shapes';
import type { LayerCore } from '../layer';

const KERNEL = 3;

export const conv: LayerCore<WindowSizes> = {
  kind: 'conv',
  name: 'conv',
  title: ({ kh, kw }) => `conv ${kh} × ${kw}`,
  window: (fields) => fields,
  fault: (fields, input) => checkDesc(descOn(fields, input)),
  options: () => ({}),
  // As many filters as channels.
  make: ({ h, w, c }) => ({
    ...{ k: c, kh: KERNEL, kw: KERNEL, stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1, groups: 1 },
    padding_mode: h < KERNEL || w < KERNEL ? 'same' : 'explicit_sides',
    padding: NO_PADDING,
  }),
};
