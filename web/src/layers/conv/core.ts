import { descOn, type WindowSizes } from '../../protocol/layers';
import { checkDesc } from '../../protocol/shapes';
import type { WeightedCore } from '../layer';

export const conv: WeightedCore<WindowSizes> = {
  kind: 'conv',
  weights: true,
  title: ({ kh, kw }) => `conv ${kh} × ${kw}`,
  window: (fields) => fields,
  fault: (fields, input) => checkDesc(descOn(fields, input)),
  options: () => ({}),
};
