import type { ComponentType } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import type { SheetName } from '../commands/command';
import { deferred } from './deferred/deferred';
import type { SheetProps } from './features/feature';

interface OpenSheet {
  readonly Sheet: ComponentType<SheetProps>;
  /** A number of its own, also if the same dialog is opened again. */
  readonly id: number;
  readonly onClose: () => void;
}

/**
 * The open dialog, and a function to open one. The browser reports the end of a dialog in a task of its own: the next may be open
 * before that, and stays.
 */
export function useSheet(say: (message: string) => void) {
  const [sheet, setSheet] = useState<OpenSheet | null>(null);
  const latest = useRef(0);
  const show = useCallback(
    (name: SheetName) => {
      latest.current += 1;
      const id = latest.current;
      const isLatest = () => latest.current === id;
      const onClose = () => setSheet((now) => (now?.id === id ? null : now));
      const sayLatest = (message: string) => isLatest() && say(message);
      deferred.use(({ FEATURES }) => {
        const feature = FEATURES.find((one) => one.id === name);
        feature?.sheet?.use((Sheet) => isLatest() && setSheet({ Sheet, id, onClose }), sayLatest);
      }, sayLatest);
    },
    [say],
  );
  return { sheet, show };
}
