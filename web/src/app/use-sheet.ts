import type { ComponentType } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import type { CommandContext } from '../commands/command';
import { type Lazy, lazy } from '../ui/lazy';
import type { Examples } from './examples/examples';
import type { Page } from './page/page';

/** What the parts of the page share. */
export interface PartProps {
  readonly page: Page;
  readonly context: CommandContext;
  readonly examples: Examples;
}

export interface SheetProps extends PartProps {
  readonly onClose: () => void;
}

/** Each dialog is loaded when it is first opened. */
const SHEETS = {
  keys: lazy('The list of shortcuts', async () => (await import('./KeysSheet')).KeysSheet),
  examples: lazy('The list of examples', async () => (await import('./examples/ExamplesSheet')).ExamplesSheet),
  link: lazy('The link dialog', async () => (await import('./share/LinkSheet')).LinkSheet),
  export: lazy('The export dialog', async () => (await import('./export/ExportSheet')).ExportSheet),
  about: lazy('The page About', async () => (await import('./AboutSheet')).AboutSheet),
  class: lazy('The class dialog', async () => (await import('./share/ClassSheet')).ClassSheet),
};

export type SheetName = keyof typeof SHEETS;

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
      const part: Lazy<ComponentType<SheetProps>> = SHEETS[name];
      part.use(
        (Sheet) => isLatest() && setSheet({ Sheet, id, onClose }),
        (message) => isLatest() && say(message),
      );
    },
    [say],
  );
  return { sheet, show };
}
