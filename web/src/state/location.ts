import { effect } from '@preact/signals';
import { readLink } from './read-link';
import type { Store } from './store-types';

/** Pause after the last edit before the address is written; browsers refuse more than about 3 writes a second. */
const WRITE_PAUSE = 400;

/**
 * Keeps the page's address and the store together: edits are written to the hash (without a step in the browser's
 * history: undo is the store's), a hash that the user opens or types is read. The returned function ends that.
 */
export function syncLocation(store: Store, page: Window): () => void {
  let timer = 0;
  let written = page.location.hash.slice(1);
  const write = (hash: string) => {
    written = hash;
    page.history.replaceState(page.history.state, '', `#${hash}`);
  };
  const stop = effect(() => {
    const { hash } = store.link.value;
    page.clearTimeout(timer);
    if (hash !== written) timer = page.setTimeout(() => write(hash), WRITE_PAUSE);
  });
  const read = () => {
    const hash = page.location.hash.slice(1);
    if (hash === written) return;
    written = hash;
    void readLink(hash).then(store.openLink);
  };
  page.addEventListener('hashchange', read);
  return () => {
    stop();
    page.clearTimeout(timer);
    page.removeEventListener('hashchange', read);
  };
}
