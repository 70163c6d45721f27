import type { LayerCore } from '../layer';
import { pointwise } from '../pointwise';

export interface LeakyFields {
  /** The slope below 0, from 0 to 1. */
  readonly alpha: number;
}

export const leakyRelu: LayerCore<LeakyFields> = {
  ...pointwise,
  kind: 'leaky_relu',
  title: (fields) => `leaky ReLU ${fields.alpha}`,
  options: (fields) => ({ alpha: fields.alpha }),
};
