import type { InputName } from '../../../web/src/state/problem';
import type { Store } from '../../../web/src/state/store-types';
import { geometryOf } from '../geometry/arbitrary-geometry';

/** Changes a cell as who points at it in a picture of the problem in force. */
export const setCell = (store: Store, tensor: InputName, index: number, value: number): void =>
  store.setCells({ tensor, indices: [index], geometry: geometryOf(store.problem.value.desc) }, value);
