import type { Store } from '../../state/store-types';
import { Button } from '../../ui/controls/Button';

/** An edit or a link was undone because the library ran out of memory. */
export function UndoneNotice({ store }: { readonly store: Store }) {
  return (
    <div class="notice" role="alert">
      <p>Undone: not enough memory. Try a smaller problem, or close other tabs.</p>
      <Button onClick={store.dismissDraft}>Close</Button>
    </div>
  );
}
