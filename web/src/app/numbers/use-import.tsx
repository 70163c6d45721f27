import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { INPUTS } from '../../protocol/problem';
import { lazy } from '../../ui/lazy';
import type { Page } from '../page/page';
import type { OpenedArrays, PinnedInputCell } from './opened-arrays';

const importer = lazy('The import dialog', () => import('./open-import'));
const saver = lazy('The save dialog', () => import('./SaveArraysSheet'));

interface OpenDialog {
  readonly module: typeof import('./open-import');
  readonly numbers: OpenedArrays;
  /** A dialog of its own for each import: a closed one can be on the page until the next frame, which sends its event. */
  readonly key: number;
}

const CHANGED = 'because you changed something while it was loading. Open it again.';

/** Imports arrays from files and texts: loads the import dialog, which asks how to use them. */
export function useImport(page: Page) {
  const [shown, setShown] = useState<OpenDialog | null>(null);
  const current = useRef<OpenDialog | null>(null);
  const isGone = useRef(false);
  const imports = useRef(0);
  /** Ends the reading of the previous file. */
  const replace = useCallback((next: OpenDialog | null) => {
    current.current?.numbers.end();
    current.current = next;
    setShown(next);
  }, []);
  const open = useCallback(
    (from: readonly File[] | string) => {
      const refuse = refuser(page);
      const at = typeof from === 'string' ? chosenCell(page) : null;
      const later = page.store.begin();
      importer.wait().then(
        async (module) => {
          const numbers = await module.openImport(from, at);
          if (!numbers) return;
          const newer = later();
          if ('file' in numbers) {
            if (newer === null) page.address.goTo(numbers.file.link, numbers.file.knownInputs);
            else if (newer === 'edited') refuse('stale', `${numbers.file.name} was not opened, ${CHANGED}`);
            return;
          }
          // An edit meanwhile is no conflict: the dialog asks before it changes anything.
          if (newer === 'opened' || isGone.current) numbers.end();
          else {
            imports.current += 1;
            replace({ module, numbers, key: imports.current });
          }
        },
        ({ message }) => refuse('internal', message),
      );
    },
    [page, replace],
  );
  useEffect(
    () => () => {
      isGone.current = true;
      current.current?.numbers.end();
    },
    [],
  );
  const close = () => {
    if (current.current === shown) replace(null);
  };
  const sheet = shown && (
    <shown.module.ImportSheet key={shown.key} page={page} numbers={shown.numbers} onClose={close} />
  );
  return { open, sheet };
}

/** Removes the last error; shows another one, of the problem as it is now. */
function refuser({ store, images }: Page) {
  const problem = store.problem.peek();
  images.refusal.value = null;
  return (code: 'internal' | 'stale', message: string) => {
    images.refusal.value = { error: { code, field: 'file', message }, problem };
  };
}

function chosenCell({ look, currentContent }: Page): PinnedInputCell | null {
  const [cell, geometry] = [look.pinned.peek(), currentContent.peek()?.geometry];
  const tensor = INPUTS.find((name) => name === cell?.tensor);
  return cell && tensor && geometry ? { tensor, index: cell.index, geometry } : null;
}

/** Copies and saves arrays. The dialog is loaded on demand. */
export function useSaveArrays(page: Page) {
  const [dialog, setDialog] = useState<typeof import('./SaveArraysSheet') | null>(null);
  const open = useCallback(() => {
    const refuse = refuser(page);
    saver.wait().then(setDialog, ({ message }) => refuse('internal', message));
  }, [page]);
  const sheet = dialog && <dialog.SaveArraysSheet page={page} onClose={() => setDialog(null)} />;
  return { open, sheet };
}
