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

/** The open dialog, and functions to open and to close one. */
export function useSheet(say: (message: string) => void) {
  const [shown, setShown] = useState<{ readonly Sheet: ComponentType<SheetProps> } | null>(null);
  const latest = useRef<object | null>(null);
  const show = useCallback(
    (name: SheetName) => {
      const request = {};
      latest.current = request;
      const isLatest = () => latest.current === request;
      const { title, load } = SHEETS[name];
      withLoadingMessage<ComponentType<SheetProps>>(title, load(), (message) => isLatest() && say(message)).then(
        (Sheet) => isLatest() && setShown({ Sheet }),
        (cause) =>
          isLatest() && say(`${title} failed to load. ${isDamagedFile(cause) ? 'Reload the page' : 'Try again'}.`),
      );
    },
    [say],
  );
  const close = useCallback(() => setShown(null), []);
  return { Sheet: shown?.Sheet ?? null, show, close };
}
