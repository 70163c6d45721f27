import { useSignal } from '@preact/signals';
import { useCallback, useMemo, useState } from 'preact/hooks';
import type { ConvError } from '../protocol/errors';
import type { InputName } from '../state/problem';
import { Segmented } from '../ui/controls/Choice';
import { late } from '../ui/late';
import type { SceneEvents } from '../views/kit/scene';
import { Activity, useLong } from './Activity';
import { Board } from './Board';
import { CloserArea } from './closer/CloserArea';
import { Controls } from './controls/Controls';
import { PictureFields } from './controls/PictureFields';
import { Rail } from './controls/Rail';
import { Explain, POINTING } from './explain/Explain';
import { Masthead } from './Masthead';
import { Complaints, Failure } from './Notices';
import type { Page } from './page';
import { createPictures, type PictureChannels } from './pictures';
import { StatusLine } from './StatusLine';
import { copyLink, Toast, useToast } from './Toast';
import { usePictureDrop } from './use-picture-drop';
import { useShortcuts } from './use-shortcuts';

const TRANSFERS = [
  { value: 'linear', label: 'linear', hint: 'twice the value, twice the colour' },
  { value: 'root', label: '√', hint: 'the root of the value: small ones stay visible' },
] as const;

const keysSheet = late(async () => (await import('./KeysSheet')).KeysSheet);

const INPUTS: readonly InputName[] = ['x', 'w', 'b', 'dy'];

export function App({ page }: { readonly page: Page }) {
  const { store, client, status, look } = page;
  const channels = useSignal<PictureChannels>(1);
  const pictureError = useSignal<ConvError | null>(null);
  const [toast, say] = useToast();
  const pictures = useMemo(
    () =>
      createPictures(store, client, (error) => {
        pictureError.value = error;
      }),
    [store, client],
  );
  const openFile = useMemo(() => (file: File) => pictures.openFile(file, file.name, channels.peek()), [pictures]);
  const dragging = usePictureDrop(openFile);
  const [keysShown, showKeys] = useState(false);
  const onKeys = useCallback(() => showKeys(true), []);
  useShortcuts({ onUndo: store.undo, onRedo: store.redo, onRelease: look.release, onKeys });
  const KeysSheet = keysShown ? keysSheet() : null;

  const scene = page.scene.value;
  // Filters leave most of a photograph near zero: there the root shows more.
  const transfer = look.transfer.value ?? (scene?.photo ? 'root' : 'linear');
  const progress = store.progress.value;
  const computing = progress.status === 'computing';
  const long = useLong(computing);
  const shown = store.shown.value;

  const events = useMemo(() => createEvents(page), [page]);
  const focus = look.focus.value;
  const highlights = look.highlights.value;
  const result = shown?.result;

  const dySource = store.problem.value.dy;

  // Elements that stay the same are not rendered again: an edit changes six signals one after the other, and each of
  // them brings the whole page here.
  const masthead = useMemo(
    () => <Masthead store={store} onCopyLink={() => void copyLink(store.link.value).then(say)} onKeys={onKeys} />,
    [store, say, onKeys],
  );
  const rail = useMemo(
    () => (
      <Rail>
        <Controls
          store={store}
          pictures={
            <PictureFields
              pictures={pictures}
              channels={channels.value}
              error={pictureError.value}
              onChannels={(value) => {
                channels.value = value;
              }}
            />
          }
        />
      </Rail>
    ),
    [store, pictures, channels.value, pictureError.value],
  );
  const board = useMemo(
    () =>
      scene && (
        <Board
          scene={{ ...scene, transfer, focus, highlights }}
          late={long}
          dySource={dySource}
          settings={
            <Segmented
              label="colour scale"
              quiet
              options={TRANSFERS}
              value={transfer}
              onChange={(value) => {
                look.transfer.value = value;
              }}
            />
          }
          events={events}
        />
      ),
    [scene, transfer, focus, highlights, long, events, dySource, look],
  );
  const closer = useMemo(
    () =>
      scene &&
      result && (
        <CloserArea
          client={client}
          content={scene}
          revision={result.revision}
          dySource={dySource}
          look={look}
          seen={{ transfer, focus, highlights }}
          events={events}
        />
      ),
    [client, scene, result, dySource, transfer, focus, highlights, events, look],
  );
  const explain = useMemo(
    () =>
      scene &&
      result && (
        <Explain
          client={client}
          geometry={scene.geometry}
          tensors={scene.tensors}
          revision={result.revision}
          highlights={highlights}
          onTerm={(regions) => {
            look.term.value = regions;
          }}
          onGo={look.visit}
          onRelease={look.release}
          onEdit={events.onEdit}
        />
      ),
    [client, scene, result, highlights, look, events],
  );

  return (
    <div class="app">
      {masthead}
      {rail}
      <main class="stage">
        <Complaints complaints={store.complaints.value} onDismiss={store.dismissComplaints} />
        {progress.status === 'failed' && (
          <Failure
            error={progress.error}
            onReset={store.reset}
            onRetry={() => {
              // Restarts a worker that did not start; one that runs has nothing to cancel now.
              client.cancel();
              store.retry();
            }}
          />
        )}
        <p class="stage__hint">{POINTING}</p>
        {board}
        {closer}
        <Activity status={status.value} computing={computing} onCancel={() => client.cancel()} />
        {result && <StatusLine result={result} variant={status.value.variant} />}
      </main>
      {explain}
      {dragging && <div class="drop">Drop a picture to make it x</div>}
      <Toast message={toast} />
      {KeysSheet && <KeysSheet onClose={() => showKeys(false)} />}
    </div>
  );
}

/** What a person does to the page's pictures. */
const createEvents = ({ store, look }: Page): SceneEvents => ({
  onHover: look.hover,
  onMove: look.move,
  onPick: look.toggle,
  onEdit: ({ tensor, index }, value) => {
    const input = INPUTS.find((name) => name === tensor);
    if (input) store.setCell(input, index, value);
  },
  onFocus: look.setFocus,
  onDesc: (patch) => store.setDesc(patch),
  onDy: (source, gesture) => store.setDySource(source, gesture ? { gesture } : {}),
});
