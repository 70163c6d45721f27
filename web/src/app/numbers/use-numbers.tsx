import { useCallback, useState } from 'preact/hooks';
import type { Page } from '../page';
import type { Numbers } from './open-numbers';

type Late = typeof import('./open-numbers');

/** Opens files and texts of numbers: what reads them is fetched with the first one, and a sheet asks what they shall be. */
export function useNumbers(page: Page) {
  const [shown, setShown] = useState<{ readonly late: Late; readonly numbers: Numbers } | null>(null);
  const open = useCallback(
    (name: string, from: Blob | string) => {
      const beside = page.store.problem.peek();
      page.pictures.refusal.value = null;
      import('./open-numbers').then(
        async (late) => setShown({ late, numbers: await late.openNumbers(name, from) }),
        () => {
          const message = 'what opens numbers could not be fetched: check the connection, then try again';
          page.pictures.refusal.value = { error: { code: 'internal', field: 'file', message }, beside };
        },
      );
    },
    [page],
  );
  const close = useCallback(() => setShown(null), []);
  const sheet = shown && <shown.late.NumbersSheet page={page} numbers={shown.numbers} onClose={close} />;
  return { open, sheet };
}
