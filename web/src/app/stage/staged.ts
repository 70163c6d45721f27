import { computed, type ReadonlySignal, type Signal, signal, useSignal } from '@preact/signals';
import { createContext } from 'preact';
import { useCallback, useContext, useMemo, useRef } from 'preact/hooks';
import { validFocus } from '../../geometry/focus';
import type { ViewState } from '../../look/look';
import type { Cell } from '../../protocol/cell';
import { type Late, late } from '../../ui/late';
import { hushable, type Picture, steady } from '../../views/kit/picture';
import type { Content, SceneEvents } from '../../views/kit/scene';
import { layoutStage } from '../../views/kit/stage/layout';
import type { View, ViewProps } from '../../views/kit/view';
import { VIEWS, type ViewEntry } from '../../views/list';
import type { Page } from '../page';
import type { Pending } from '../questions/picture-keeper';
import { usePicture } from '../questions/use-picture';

/** Room of the stage in CSS pixels; null until it is laid out. */
export type StageRoom = Signal<{ readonly width: number; readonly height: number } | null>;

/** The mode that is on the stage: stage and side panel draw parts of the same view in the same picture. */
export interface Staged {
  readonly entry: ViewEntry;
  readonly room: StageRoom;
  /** null until the view is there and has its answers. */
  readonly show: { readonly view: View; readonly props: ViewProps; readonly picture: Picture } | null;
  readonly loader: Late<View>;
  /** Answers that the view has not got. */
  readonly pending: Pending | null;
  readonly cancel: () => void;
  readonly retry: () => void;
}

const StagedContext = createContext<Staged | null>(null);
export const StagedProvider = StagedContext.Provider;

export function useStaged(): Staged {
  const staged = useContext(StagedContext);
  if (!staged) throw new Error('there is no stage here');
  return staged;
}

/** What is on the stage, for the provider. */
export function useStage(page: Page, events: SceneEvents): Staged {
  const { store, client, scene, look } = page;
  const mode = look.mode.value;
  const entry = VIEWS.find(({ id }) => id === mode) ?? BOARD;
  const room: StageRoom = useSignal(null);
  const loader = LOADERS[entry.id];
  const view = loader();
  const content = scene.value;
  const wanted = look.settings[entry.id].value;
  const onState = useCallback((change: ViewState) => look.choose(entry.id, change), [look, entry]);
  const subject = useMemo(() => {
    if (!view || !content) return null;
    const { revision, geometry } = content;
    return { of: view, revision, content: { view, content, state: wanted }, questions: view.needs(geometry, wanted) };
  }, [view, content, wanted]);
  const watched = usePicture(client, subject, { fillsIn: view?.fillsIn ?? false });
  const { pending, cancel, retry } = watched;
  const answered = watched.picture && { ...watched.picture.content, answers: watched.picture.answers };
  const dySource = store.problem.value.dy;

  const shown = useSignal<Content | null>(null);
  shown.value = answered?.content ?? null;
  const made = useRef<Picture | null>(null);
  const first = answered?.content ?? content;
  if (first) made.current ??= pictureOf(page, shown, first, room, events);
  const picture = made.current;
  const show =
    answered && picture && room.value
      ? {
          view: answered.view,
          picture,
          props: { state: answered.state, answers: answered.answers, wanted, onState, dySource },
        }
      : null;
  return { entry, room, show, loader, pending, cancel, retry };
}

const [BOARD] = VIEWS as readonly [ViewEntry, ...ViewEntry[]];

/** A view is fetched when its mode is opened. */
const LOADERS = Object.fromEntries(VIEWS.map(({ id, load }) => [id, late(load)])) as Record<
  ViewEntry['id'],
  Late<View>
>;

/** What the panels draw, as signals: of the content whose answers are there, and of how one looks at it. */
function pictureOf(
  page: Page,
  shown: ReadonlySignal<Content | null>,
  first: Content,
  room: StageRoom,
  events: SceneEvents,
): Picture {
  const { look, scene } = page;
  const content = computed(() => shown.value ?? scene.value ?? first);
  const geometry = computed(() => content.value.geometry);
  const bias = computed(() => content.value.tensors.b !== undefined);
  const photo = computed(() => content.value.photo);
  // Those of a newer problem may name cells that this one does not have.
  const highlights = computed(() => (content.value === scene.value ? look.highlights.value : null));
  const seen = (cell: Cell): Cell => (cell.value === undefined ? cell : { ...cell, seenIn: content.peek().revision });
  return {
    content,
    focus: steady(computed(() => validFocus(geometry.value, look.focus.value))),
    // Filters leave most of a photograph near zero: there the root shows more.
    transfer: computed(() => look.transfer.value ?? (photo.value ? 'root' : 'linear')),
    locked: look.locked,
    highlights,
    ...hushable(highlights, signal<Cell | null>(null)),
    layout: computed(() => layoutStage(geometry.value, bias.value, room.value ?? { width: 0, height: 0 })),
    events: {
      ...events,
      onHover: (cell) => events.onHover(cell && seen(cell)),
      onMove: (cell) => events.onMove(seen(cell)),
      onPick: (cell) => events.onPick(seen(cell)),
    },
  };
}
