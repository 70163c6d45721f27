import type { InputName } from '../../../web/src/protocol/problem';
import type { Store } from '../../../web/src/state/store';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { layerOf } from '../support/problems';

/** Changes a cell by its index in the current problem. */
export const setCell = (store: Store, tensor: InputName, index: number, value: number): void =>
  store.setCells({ tensor, indices: [index], geometry: geometryOf(layerOf(store.problem.value).desc) }, value);
