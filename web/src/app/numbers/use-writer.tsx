import { useCallback, useState } from 'preact/hooks';
import type { Page } from '../page';

type Late = typeof import('./WriteSheet');

/** Copies and saves tensors; what writes them is fetched when somebody asks. */
export function useWriter(page: Page) {
  const [late, setLate] = useState<Late | null>(null);
  const open = useCallback(() => {
    const beside = page.store.problem.peek();
    page.pictures.refusal.value = null;
    import('./WriteSheet').then(setLate, () => {
      const message = 'what writes numbers could not be fetched: check the connection, then try again';
      page.pictures.refusal.value = { error: { code: 'internal', field: 'file', message }, beside };
    });
  }, [page]);
  const sheet = late && <late.WriteSheet page={page} onClose={() => setLate(null)} />;
  return { open, sheet };
}
