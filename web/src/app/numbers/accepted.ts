import type { Problem } from '../../state/problem';
import type { Asked, Store } from '../../state/store-types';

/** Makes the edit; why it was not made, where something of it is locked. */
export function accepted(store: Store, problem: Problem, asked: Asked): string | null {
  store.accept({ problem }, asked, 'sizes');
  return store.problem.peek() === problem ? null : (store.draft.peek()?.error.message ?? 'it was not taken');
}
