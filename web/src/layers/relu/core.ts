import type { LayerCore } from '../layer';
import { pointwise } from '../pointwise';

type NoFields = Readonly<Record<never, never>>;

export const relu: LayerCore<NoFields> = {
  ...pointwise,
  kind: 'relu',
  name: 'ReLU',
  title: () => 'ReLU',
  options: () => ({}),
  make: () => ({}),
};
