import type { FieldRow, LayerCore } from '../layer';
import { type PoolFields, pooling, poolTitle } from '../pooling';

export interface AverageFields extends PoolFields {
  /** false: divides by the cells in x; missing: by the size of the window. */
  readonly count_include_pad?: false;
}

const name = 'average pooling';

const counts: FieldRow<AverageFields> = {
  key: 'count_include_pad',
  write: ({ count_include_pad }) => (count_include_pad === false ? 'false' : null),
  read(text = 'true') {
    if (text !== 'true' && text !== 'false') return null;
    return text === 'false' ? { count_include_pad: false } : {};
  },
};

export const averagePool: LayerCore<AverageFields> = {
  ...pooling,
  kind: 'average_pool',
  name,
  title: (fields) => poolTitle(name, fields),
  options: ({ count_include_pad }) => ({ count_include_pad: count_include_pad === false ? 0 : 1 }),
  rows: [...pooling.rows, counts],
};
