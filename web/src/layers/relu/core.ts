import type { LayerCore } from '../layer';
import { pointwise } from '../pointwise';

type NoFields = Readonly<Record<never, never>>;

export const relu: LayerCore<NoFields> = {
  ...pointwise,
  kind: 'relu',
  title: () => 'ReLU',
  options: () => ({}),
};
