import type { ComponentType } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import type { CommandContext } from '../commands/command';
import { isDamagedFile } from '../trust/damaged-file';
import { withLoadingMessage } from '../ui/lazy';
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

/** Each dialog is loaded when it is first opened. The title is that of messages. */
const SHEETS = {
  keys: { title: 'The list of shortcuts', load: async () => (await import('./KeysSheet')).KeysSheet },
  examples: {
    title: 'The list of examples',
    load: async () => (await import('./examples/ExamplesSheet')).ExamplesSheet,
  },
  link: { title: 'The link dialog', load: async () => (await import('./share/LinkSheet')).LinkSheet },
  export: { title: 'The export dialog', load: async () => (await import('./export/ExportSheet')).ExportSheet },
  about: { title: 'The page About', load: async () => (await import('./AboutSheet')).AboutSheet },
  class: { title: 'The class dialog', load: async () => (await import('./share/ClassSheet')).ClassSheet },
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
      const { title, load } = SHEETS[name];
      withLoadingMessage<ComponentType<SheetProps>>(title, load(), (message) => isLatest() && say(message)).then(
        (Sheet) => isLatest() && setSheet({ Sheet, id, onClose }),
        (cause) =>
          isLatest() && say(`${title} failed to load. ${isDamagedFile(cause) ? 'Reload the page' : 'Try again'}.`),
      );
    },
    [say],
  );
  return { sheet, show };
}
