import { useComputed, useSignal } from '@preact/signals';
import { useCallback, useMemo } from 'preact/hooks';
import type { ConvError } from '../protocol/errors';
import type { Problem } from '../state/problem';
import { late } from '../ui/late';
import { Columns } from './Columns';
import { createExamples } from './examples/examples';
import { createHands } from './hands';
import { Masthead } from './Masthead';
import type { Page } from './page';
import type { PictureChannels } from './picture-room';
import { createPictures } from './pictures';
import { SkipLink } from './SkipLink';
import { Toast, useToast } from './Toast';
import { useSheet } from './use-sheet';
import { useShortcuts } from './use-shortcuts';
import './shell.css';

const pictureDrop = late(async () => (await import('./PictureDrop')).PictureDrop);

/** The frame of the page: bar, columns, and what lies over them. It reads no signal: each part reads what it draws. */
export function App({ page }: { readonly page: Page }) {
  const { store, client, address } = page;
  const channels = useSignal<PictureChannels>(1);
  const refusal = useSignal<{ readonly error: ConvError; readonly beside: Problem } | null>(null);
  // Whatever is done next, it is over.
  const pictureError = useComputed(() => (refusal.value?.beside === store.problem.value ? refusal.value.error : null));
  const [toast, say] = useToast();
  const pictures = useMemo(
    () =>
      createPictures({
        store,
        client,
        address,
        onProblem: (error) => {
          refusal.value = error && { error, beside: store.problem.peek() };
        },
      }),
    [store, client, address, refusal],
  );
  const openFile = useCallback(
    (file: File) => pictures.openFile(file, file.name, channels.peek()),
    [pictures, channels],
  );
  const PictureDrop = pictureDrop();
  const { Sheet, show, close } = useSheet(say);
  const examples = useMemo(() => createExamples(store, address), [store, address]);
  const hands = useMemo(() => createHands(page, say, show), [page, say, show]);
  useShortcuts(hands);
  return (
    <div class="app">
      <SkipLink />
      <Masthead hands={hands} examples={examples} />
      <Columns page={page} hands={hands} pictures={pictures} channels={channels} error={pictureError} />
      {PictureDrop && <PictureDrop onPicture={openFile} />}
      <Toast message={toast} />
      {Sheet && <Sheet hands={hands} examples={examples} onClose={close} />}
    </div>
  );
}
