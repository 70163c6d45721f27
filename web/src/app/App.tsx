import { type Signal, useSignal } from '@preact/signals';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { perform } from '../commands/list';
import type { ConvError } from '../protocol/errors';
import type { InputName } from '../state/problem';
import type { Transfer } from '../ui/colour-scale';
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
import { createHands } from './hands';
import { Masthead } from './Masthead';
import { Failure } from './Notices';
import type { Content, Page } from './page';
import { createPictures, type PictureChannels, type Pictures } from './pictures';
import { StatusLine } from './StatusLine';
import { Toast, useToast } from './Toast';
import { usePictureDrop } from './use-picture-drop';
import { useShortcuts } from './use-shortcuts';

const TRANSFERS = [
  { value: 'linear', label: 'linear', hint: 'twice the value, twice the colour' },
  { value: 'root', label: '√', hint: 'the root of the value: small ones stay visible' },
] as const;

/** Comes with a link that has something to say. */
const linkNotice = late(async () => (await import('./LinkNotice')).LinkNotice);

const keysSheet = late(async () => (await import('./KeysSheet')).KeysSheet);

const INPUTS: readonly InputName[] = ['x', 'w', 'b', 'dy'];

/** The frame of the page. It reads no signal: each part reads what it draws, so that a change renders that part alone. */
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
  const events = useMemo(() => createEvents(page), [page]);
  return (
    <div class="app">
      <Masthead hands={hands} />
      <ControlRail page={page} pictures={pictures} channels={channels} error={pictureError} />
      <main class="stage">
        <StageNotices page={page} />
        <p class="stage__hint">{POINTING}</p>
        <BoardPart page={page} events={events} />
        <CloserPart page={page} events={events} />
        <ActivityPart page={page} />
      </main>
      <ExplainPart page={page} events={events} onRelease={() => perform('release', hands)} />
      {dragging && <div class="drop">Drop a picture to make it x</div>}
      <Toast message={toast} />
      {KeysSheet && <KeysSheet hands={hands} onClose={() => showKeys(false)} />}
    </div>
  );
}

interface ControlRailProps {
  readonly page: Page;
  readonly pictures: Pictures;
  readonly channels: Signal<PictureChannels>;
  readonly error: Signal<ConvError | null>;
}

function ControlRail({ page, pictures, channels, error }: ControlRailProps) {
  const onChannels = (value: PictureChannels) => {
    channels.value = value;
  };
  const fields = (
    <PictureFields pictures={pictures} channels={channels.value} error={error.value} onChannels={onChannels} />
  );
  return (
    <Rail fold={page.look.controls}>
      <Controls store={page.store} address={page.address} pictures={fields} />
    </Rail>
  );
}

interface PartProps {
  readonly page: Page;
}

function StageNotices({ page: { store, client, address } }: PartProps) {
  const complaints = address.complaints.value;
  const missing = address.missing.value;
  const LinkNotice = complaints.length + missing.length > 0 ? linkNotice() : null;
  const progress = store.progress.value;
  return (
    <>
      {LinkNotice && <LinkNotice complaints={complaints} missing={missing} onDismiss={address.dismiss} />}
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
    </>
  );
}

interface ViewPartProps extends PartProps {
  readonly events: SceneEvents;
}

/** Filters leave most of a photograph near zero: there the root shows more. */
const transferOf = ({ look }: Page, { photo }: Content): Transfer => look.transfer.value ?? (photo ? 'root' : 'linear');

function BoardPart({ page, events }: ViewPartProps) {
  const { store, scene, look } = page;
  const long = useLong(store.progress.value.status === 'computing');
  const content = scene.value;
  if (!content) return null;
  const transfer = transferOf(page, content);
  return (
    <Board
      scene={{ ...content, transfer, focus: look.focus.value, highlights: look.highlights.value }}
      late={long}
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
      dySource={store.problem.value.dy}
      events={events}
    />
  );
}

function CloserPart({ page, events }: ViewPartProps) {
  const { store, client, scene, look } = page;
  const content = scene.value;
  const shown = store.shown.value;
  if (!content || !shown) return null;
  const seen = {
    transfer: transferOf(page, content),
    focus: look.focus.value,
    highlights: look.highlights.value,
  };
  return (
    <CloserArea
      client={client}
      content={content}
      revision={shown.result.revision}
      dySource={store.problem.value.dy}
      look={look}
      seen={seen}
      events={events}
    />
  );
}

function ActivityPart({ page: { store, client, status } }: PartProps) {
  const result = store.shown.value?.result;
  const computing = store.progress.value.status === 'computing';
  return (
    <>
      <Activity status={status.value} computing={computing} onCancel={() => client.cancel()} />
      {result && <StatusLine result={result} variant={status.value.variant} />}
    </>
  );
}

interface ExplainPartProps extends ViewPartProps {
  readonly onRelease: () => void;
}

function ExplainPart({ page: { store, client, scene, look }, events, onRelease }: ExplainPartProps) {
  const content = scene.value;
  const shown = store.shown.value;
  if (!content || !shown) return null;
  return (
    <Explain
      client={client}
      geometry={content.geometry}
      tensors={content.tensors}
      revision={shown.result.revision}
      highlights={look.highlights.value}
      onTerm={(regions) => {
        look.term.value = regions;
      }}
      onGo={look.visit}
      onRelease={onRelease}
      onEdit={events.onEdit}
    />
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
