import { useMemo } from 'preact/hooks';
import { late } from '../ui/late';
import { Columns } from './Columns';
import { createExamples } from './examples/examples';
import { createHands } from './hands';
import { Masthead } from './Masthead';
import type { Page } from './page';
import { SkipLink } from './SkipLink';
import { Toast, useToast } from './Toast';
import { useSheet } from './use-sheet';
import { useShortcuts } from './use-shortcuts';
import './shell.css';

const pictureDrop = late(async () => (await import('./PictureDrop')).PictureDrop);

/** The frame of the page: bar, columns, and what lies over them. It reads no signal: each part reads what it draws. */
export function App({ page }: { readonly page: Page }) {
  const { store, address } = page;
  const [toast, say] = useToast();
  const PictureDrop = pictureDrop();
  const { Sheet, show, close } = useSheet(say);
  const examples = useMemo(() => createExamples(store, address), [store, address]);
  const hands = useMemo(() => createHands(page, say, show), [page, say, show]);
  useShortcuts(hands);
  return (
    <div class="app">
      <SkipLink />
      <Masthead hands={hands} examples={examples} />
      <Columns page={page} hands={hands} />
      {PictureDrop && <PictureDrop page={page} />}
      <Toast message={toast} />
      {Sheet && <Sheet page={page} hands={hands} examples={examples} onClose={close} />}
    </div>
  );
}
