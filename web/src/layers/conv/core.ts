import { descOn, type WindowSizes } from '../../protocol/layers';
import { checkDesc } from '../../protocol/shapes';
import type { LayerCore } from '../layer';

export const conv: LayerCore<WindowSizes> = {
  kind: 'conv',
  title: ({ kh, kw }) => `conv ${kh} × ${kw}`,
  window: (fields) => fields,
  fault: (fields, input) => checkDesc(descOn(fields, input)),
  options: () => ({}),
};
