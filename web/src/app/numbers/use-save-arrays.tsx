import { useCallback, useState } from 'preact/hooks';
import type { Page } from '../page/page';

type DialogModule = typeof import('./SaveArraysSheet');

/** Copies and saves arrays. The dialog is loaded on demand. */
export function useSaveArrays(page: Page) {
  const [dialog, setDialog] = useState<DialogModule | null>(null);
  const open = useCallback(() => {
    const problem = page.store.problem.peek();
    page.images.refusal.value = null;
    import('./SaveArraysSheet').then(setDialog, () => {
      const message = 'the save dialog failed to load: check your connection and try again';
      page.images.refusal.value = { error: { code: 'internal', field: 'file', message }, problem };
    });
  }, [page]);
  const sheet = dialog && <dialog.SaveArraysSheet page={page} onClose={() => setDialog(null)} />;
  return { open, sheet };
}
