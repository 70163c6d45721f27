import type { ComponentType } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import type { Hands } from '../commands/command';
import { patiently } from '../ui/late';
import type { Examples } from './examples/examples';
import type { Page } from './page';

export interface SheetProps {
  readonly page: Page;
  readonly hands: Hands;
  readonly examples: Examples;
  readonly onClose: () => void;
}

/** Fetched when somebody asks for one. */
const SHEETS = {
  keys: async (): Promise<ComponentType<SheetProps>> => (await import('./KeysSheet')).KeysSheet,
  examples: async (): Promise<ComponentType<SheetProps>> => (await import('./examples/ExamplesSheet')).ExamplesSheet,
  link: async (): Promise<ComponentType<SheetProps>> => (await import('./share/LinkSheet')).LinkSheet,
  export: async (): Promise<ComponentType<SheetProps>> => (await import('./export/ExportSheet')).ExportSheet,
  class: async (): Promise<ComponentType<SheetProps>> => (await import('./share/ClassSheet')).ClassSheet,
};

const NAMES = {
  keys: 'The list of keys',
  examples: 'The examples',
  link: 'What is said of the link',
  export: 'What exports',
  class: 'What prepares a link',
};

export type SheetName = keyof typeof SHEETS;

interface Shown {
  readonly Sheet: ComponentType<SheetProps>;
}

/** The dialog that lies over the page, and ways to show one and to close it. */
export function useSheet(say: (message: string) => void) {
  const [shown, setShown] = useState<Shown | null>(null);
  const show = useCallback(
    (name: SheetName) => {
      patiently(NAMES[name], SHEETS[name](), say).then(
        (Sheet) => setShown({ Sheet }),
        (cause) =>
          say(
            cause instanceof SyntaxError
              ? `${NAMES[name]} arrived damaged. Load the page again.`
              : `${NAMES[name]} could not be fetched. Try again.`,
          ),
      );
    },
    [say],
  );
  const close = useCallback(() => setShown(null), []);
  return { Sheet: shown?.Sheet ?? null, show, close };
}
