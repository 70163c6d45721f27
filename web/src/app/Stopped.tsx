import type { Store } from '../state/store-types';
import { Button } from '../ui/controls/Button';

/** After a computation that somebody stopped: the edit stands, its numbers are missing. */
export function Stopped({ store }: { readonly store: Store }) {
  return (
    <div class="notice" role="status">
      <p>The computation was stopped. Your change is kept; the numbers below are still those from before it.</p>
      <Button onClick={store.retry}>Compute it</Button>
      {store.canUndo.value && <Button onClick={store.undo}>Undo the change</Button>}
    </div>
  );
}
