import { useCallback, useState } from 'preact/hooks';
import type { Page } from '../page';
import type { ChosenCell, Numbers } from './numbers';

type Late = typeof import('./open-numbers');

/** Opens files and texts of numbers: what reads them is fetched with the first one, and a sheet asks what they shall be. */
export function useNumbers(page: Page) {
  const [shown, setShown] = useState<{ readonly late: Late; readonly numbers: Numbers } | null>(null);
  const open = useCallback(
    (name: string, from: Blob | string) => {
      const beside = page.store.problem.peek();
      const at = typeof from === 'string' ? chosenCell(page) : null;
      page.pictures.refusal.value = null;
      import('./open-numbers').then(
        async (late) => {
          const numbers = await late.openNumbers(name, from, at);
          if ('file' in numbers) {
            page.address.goTo(numbers.file.link, numbers.file.carried);
            return;
          }
          setShown((before) => {
            before?.numbers.end();
            return { late, numbers };
          });
        },
        () => {
          const message = 'what opens numbers could not be fetched: check the connection, then try again';
          page.pictures.refusal.value = { error: { code: 'internal', field: 'file', message }, beside };
        },
      );
    },
    [page],
  );
  const close = useCallback(
    () =>
      setShown((before) => {
        before?.numbers.end();
        return null;
      }),
    [],
  );
  const sheet = shown && <shown.late.NumbersSheet page={page} numbers={shown.numbers} onClose={close} />;
  return { open, sheet };
}

const INPUTS = ['x', 'w', 'b', 'dy'] as const;

/** The cell of an input that is pinned. */
function chosenCell({ look, scene }: Page): ChosenCell | null {
  const [cell, geometry] = [look.pinned.peek(), scene.peek()?.geometry];
  const tensor = INPUTS.find((name) => name === cell?.tensor);
  return cell && tensor && geometry ? { tensor, index: cell.index, geometry } : null;
}
