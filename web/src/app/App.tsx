import { useSignal } from '@preact/signals';
import { useCallback, useMemo, useState } from 'preact/hooks';
import type { ConvError } from '../protocol/errors';
import { late } from '../ui/late';
import { Columns } from './Columns';
import { createHands } from './hands';
import { Masthead } from './Masthead';
import type { Page } from './page';
import { createPictures, type PictureChannels } from './pictures';
import { Toast, useToast } from './Toast';
import { usePictureDrop } from './use-picture-drop';
import { useShortcuts } from './use-shortcuts';
import './shell.css';

const keysSheet = late(async () => (await import('./KeysSheet')).KeysSheet);

/** The frame of the page: bar, columns, and what lies over them. It reads no signal: each part reads what it draws. */
export function App({ page }: { readonly page: Page }) {
  const { store, client, address } = page;
  const channels = useSignal<PictureChannels>(1);
  const pictureError = useSignal<ConvError | null>(null);
  const [toast, say] = useToast();
  const pictures = useMemo(
    () =>
      createPictures({
        store,
        client,
        address,
        onProblem: (error) => {
          pictureError.value = error;
        },
      }),
    [store, client, address, pictureError],
  );
  const openFile = useCallback(
    (file: File) => pictures.openFile(file, file.name, channels.peek()),
    [pictures, channels],
  );
  const dragging = usePictureDrop(openFile);
  const [keysShown, showKeys] = useState(false);
  const hands = useMemo(() => createHands(page, say, () => showKeys(true)), [page, say]);
  useShortcuts(hands);
  const KeysSheet = keysShown ? keysSheet() : null;
  return (
    <div class="app">
      <Masthead hands={hands} />
      <Columns page={page} hands={hands} pictures={pictures} channels={channels} error={pictureError} />
      {dragging && <div class="drop">Drop a picture to make it x</div>}
      <Toast message={toast} />
      {KeysSheet && <KeysSheet hands={hands} onClose={() => showKeys(false)} />}
    </div>
  );
}
