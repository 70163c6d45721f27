import { computed, type ReadonlySignal, type Signal, signal, useSignal } from '@preact/signals';
import { createContext } from 'preact';
import { useCallback, useContext, useMemo, useRef } from 'preact/hooks';
import { validFocus } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import type { Highlights } from '../../look/look-store';
import type { Content, Tensors } from '../../protocol/messages';
import { BREAKPOINTS } from '../../ui/breakpoints';
import { type Lazy, lazy } from '../../ui/lazy';
import { VIEWS, type ViewEntry } from '../../views/list';
import type { Room } from '../../views/shared/fit';
import type { ViewEvents } from '../../views/shared/scene';
import { hasBackward, layoutStage } from '../../views/shared/stage/layout';
import { stableFocus, userHighlightsOf, type View, type ViewModel } from '../../views/shared/view-model';
import { keeping } from '../keep/keeping';
import type { Page } from '../page/page';
import { useAnsweredSubject } from '../questions/answered-subject';

/** Size of the view in CSS pixels; null until it is laid out. */
type ViewSize = Signal<Room | null>;

export type CurrentView = ReturnType<typeof useLoadedView>;

const CurrentViewContext = createContext<CurrentView | null>(null);
export const CurrentViewProvider = CurrentViewContext.Provider;

export function useCurrentView(): CurrentView {
  const currentView = useContext(CurrentViewContext);
  if (!currentView) throw new Error('no CurrentViewProvider');
  return currentView;
}

/** The value of CurrentViewProvider: the selected view. Its panels and the side panel draw the same view model. */
export function useLoadedView(page: Page, events: ViewEvents) {
  const { client, currentContent, look } = page;
  const mode = look.mode.value;
  const entry = VIEWS.find(({ id }) => id === mode) ?? BOARD;
  const room: ViewSize = useSignal(null);
  const loader = LOADERS[entry.id];
  const view = loader();
  const content = currentContent.value;
  const wanted = look.settings[entry.id].value;
  const { showsDifference, result } = page.kept;
  const kept = showsDifference.value && entry === BOARD ? result.value : null;
  const parts = kept && keeping();
  const onState = useCallback((change: ViewState) => look.choose(entry.id, change), [look, entry]);
  const subject = useMemo(() => {
    if (!view || !content) return null;
    const { revision, index: layer } = content;
    const differences = (kept && parts?.differencesAsked(kept, content)) ?? [];
    return {
      of: view,
      revision,
      layer,
      content: { view, content, state: wanted },
      questions: [...view.needs(content, wanted), ...differences],
    };
  }, [view, content, wanted, kept, parts]);
  // Without differences the Overview shows values.
  const { answered, pending, cancel, retry } = useAnsweredSubject(client, subject, {
    fillsIn: view?.showsPartialAnswers || kept !== null,
  });
  const drawn = answered?.content;
  const shown = useSignal<Content | null>(null);
  shown.value = drawn?.content ?? null;
  const differences = useSignal<Tensors>(NONE);
  differences.value = (kept && answered && parts?.differencesIn(answered.answers)) || NONE;
  const modelRef = useRef<ViewModel | null>(null);
  const first = drawn?.content ?? content;
  if (first) modelRef.current ??= viewModelOf(page, { shown, differences }, first, room, events);
  const model = modelRef.current;
  // null until the view is loaded and has its answers.
  const show =
    answered && drawn && model && room.value
      ? {
          view: { ...drawn.view, ...(entry === BOARD && page.picture.value) },
          model,
          props: { state: drawn.state, answers: answered.answers, wanted, onState },
        }
      : null;
  return { entry, room, show, loader, pending, cancel, retry };
}

const NONE: Tensors = {};

const [BOARD] = VIEWS as readonly [ViewEntry, ...ViewEntry[]];

const LOADERS = Object.fromEntries(VIEWS.map(({ id, load }) => [id, lazy('This view', load)])) as Record<
  ViewEntry['id'],
  Lazy<View>
>;

/** The view model as signals: the content that has its answers, and how it is shown. */
function viewModelOf(
  page: Page,
  {
    shown,
    differences,
  }: { readonly shown: ReadonlySignal<Content | null>; readonly differences: ReadonlySignal<Tensors> },
  first: Content,
  room: ViewSize,
  events: ViewEvents,
): ViewModel {
  const { look, currentContent, store } = page;
  const content = computed(() => shown.value ?? currentContent.value ?? first);
  const geometry = computed(() => content.value.geometry);
  const bias = computed(() => content.value.tensors.b !== undefined);
  const photo = computed(() => content.value.photo);
  // Highlights of a newer problem may name cells that this one does not have.
  const highlights = computed(() => (content.value === currentContent.value ? look.highlights.value : null));
  const framed = signal<Highlights | null>(null);
  return {
    content,
    differences,
    focus: stableFocus(computed(() => validFocus(geometry.value, look.focus.value))),
    // Filters leave most of a photograph near 0: the square root shows more of it.
    transfer: computed(() => look.transfer.value ?? (photo.value ? 'root' : 'linear')),
    locked: look.locked,
    hiddenParts: look.hiddenParts,
    loss: computed(() => store.problem.value.loss),
    exercise: look.exercise,
    noHintYet: look.noHintYet,
    highlights,
    frameHighlights: framed,
    userHighlights: computed(() => userHighlightsOf(highlights.value, framed.value, look)),
    played: look.played,
    onPlay: look.play,
    layout: computed(() =>
      layoutStage(
        geometry.value,
        bias.value,
        room.value ?? { width: 0, height: 0 },
        hasBackward(look.hiddenParts.value),
      ),
    ),
    events,
  };
}

/** In CSS pixels. In a lower window the stage scrolls. */
const LEAST_HEIGHT = 160;

/**
 * The space for panels in an element, in whole pixels. A scroll bar must not change it: a layout for less space would
 * need no bar and then be laid out again without it, in an endless loop (seen in Firefox). The vertical bar has a
 * gutter (stage.css); the height of the horizontal bar is not subtracted.
 */
function roomOf({ clientWidth: width, offsetHeight }: HTMLElement): Room {
  // Where the page scrolls, the element is as high as its panels.
  const height = matchMedia(BREAKPOINTS.low).matches ? 0 : offsetHeight;
  return { width, height: Math.max(LEAST_HEIGHT, height) };
}

/** Replaced in an embed (embed/start-embed.tsx). */
export const rooms = { of: roomOf };
