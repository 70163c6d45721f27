import type { Problem } from '../../state/problem';
import type { EditOrigin, Store } from '../../state/store-types';

/** Makes the edit; returns the error if a lock refuses it, else null. */
export function acceptEdit(store: Store, problem: Problem, origin: EditOrigin): string | null {
  store.accept({ problem }, origin, 'sizes');
  return store.problem.peek() === problem ? null : (store.draft.peek()?.error.message ?? 'the change was refused');
}
