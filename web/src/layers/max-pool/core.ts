import type { LayerCore } from '../layer';
import { type PoolFields, pooling, poolTitle } from '../pooling';

const name = 'max pooling';

export const maxPool: LayerCore<PoolFields> = {
  ...pooling,
  kind: 'max_pool',
  title: (fields) => poolTitle(name, fields),
  options: () => ({}),
};
