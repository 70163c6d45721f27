import type { Store } from '../../state/store-types';
import { Button } from '../../ui/controls/Button';

/** After a computation was stopped: the edit is kept, its results are missing. */
export function StoppedNotice({ store }: { readonly store: Store }) {
  return (
    <div class="notice" role="status">
      <p>Computation stopped. Your change is kept, but the values below are from before it.</p>
      <Button onClick={store.retry}>Compute</Button>
      {store.canUndo.value && <Button onClick={store.undo}>Undo change</Button>}
    </div>
  );
}
