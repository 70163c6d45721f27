import type { Store } from '../state/store-types';
import { Button } from '../ui/controls/Button';

/** An edit, or a link, that the library had no memory for. */
export function TakenBack({ store }: { readonly store: Store }) {
  return (
    <div class="notice" role="alert">
      <p>
        The change was taken back: the browser does not give the page the memory that it takes. A smaller problem takes
        less, and so do fewer tabs.
      </p>
      <Button onClick={store.dismissDraft}>Close</Button>
    </div>
  );
}
