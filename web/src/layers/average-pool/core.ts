import type { LayerCore } from '../layer';
import { type PoolFields, pooling, poolTitle } from '../pooling';

export interface AverageFields extends PoolFields {
  /** false: divides by the cells in x; missing: by the size of the window. */
  readonly count_include_pad?: false;
}

const name = 'average pooling';

export const averagePool: LayerCore<AverageFields> = {
  ...pooling,
  kind: 'average_pool',
  title: (fields) => poolTitle(name, fields),
  options: ({ count_include_pad }) => (count_include_pad === false ? { count_include_pad: 0 } : {}),
};
