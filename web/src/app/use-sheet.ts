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

/** Each dialog is loaded when it is first opened. */
const SHEETS = {
  keys: async (): Promise<ComponentType<SheetProps>> => (await import('./KeysSheet')).KeysSheet,
  examples: async (): Promise<ComponentType<SheetProps>> => (await import('./examples/ExamplesSheet')).ExamplesSheet,
  link: async (): Promise<ComponentType<SheetProps>> => (await import('./share/LinkSheet')).LinkSheet,
  export: async (): Promise<ComponentType<SheetProps>> => (await import('./export/ExportSheet')).ExportSheet,
  about: async (): Promise<ComponentType<SheetProps>> => (await import('./AboutSheet')).AboutSheet,
  class: async (): Promise<ComponentType<SheetProps>> => (await import('./share/ClassSheet')).ClassSheet,
};

const NAMES = {
  keys: 'The list of shortcuts',
  examples: 'The list of examples',
  link: 'The link dialog',
  export: 'The export dialog',
  about: 'The page About',
  class: 'The class dialog',
};

export type SheetName = keyof typeof SHEETS;

/** The open dialog, and functions to open and to close one. */
export function useSheet(say: (message: string) => void) {
  const [shown, setShown] = useState<{ readonly Sheet: ComponentType<SheetProps> } | null>(null);
  /** The dialog that was requested last. */
  const latest = useRef<object | null>(null);
  const show = useCallback(
    (name: SheetName) => {
      const request = {};
      latest.current = request;
      const isLatest = () => latest.current === request;
      withLoadingMessage(NAMES[name], SHEETS[name](), (message) => isLatest() && say(message)).then(
        (Sheet) => isLatest() && setShown({ Sheet }),
        (cause) =>
          isLatest() &&
          say(
            isDamagedFile(cause)
              ? `${NAMES[name]} failed to load. Reload the page.`
              : `${NAMES[name]} failed to load. Try again.`,
          ),
      );
    },
    [say],
  );
  const close = useCallback(() => setShown(null), []);
  return { Sheet: shown?.Sheet ?? null, show, close };
}
