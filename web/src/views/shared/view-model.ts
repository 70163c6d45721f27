import { computed, type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { type ComponentChildren, type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { type Focus, gridOf } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import type { Highlights, LookStore } from '../../look/look-store';
import type { Content, Tensors } from '../../protocol/messages';
import type { Cell, Geometry, Pass, ResultName, Tensor, TensorName } from '../../protocol/problem';
import type { PartialAsk } from '../../protocol/questions';
import type { Loss } from '../../sources/loss';
import type { ColorScale, Transfer } from '../../ui/color-scale';
import type { Answers, Needs } from './answers';
import { gridData, type Plane, photoOf, planeOf } from './plane';
import type { ViewEvents } from './scene';
import type { StageLayout } from './stage/layout';

/**
 * The data that the panels of a view draw. Signals, so that a hover re-renders only the outlines and an edit only the
 * tensors that changed.
 */
export interface ViewModel {
  readonly content: ReadonlySignal<Content>;
  /** Drawn in place of these results: their differences from a result that was kept. */
  readonly differences: ReadonlySignal<Tensors>;
  readonly focus: ReadonlySignal<Focus>;
  /** The transfer function from values to colors. */
  readonly transfer: ReadonlySignal<Transfer>;
  /** The hovered or pinned cell. */
  readonly highlights: ReadonlySignal<Highlights | null>;
  /** `highlights`, but null where the player's step replaces it (`userHighlightsOf`). */
  readonly userHighlights: ReadonlySignal<Highlights | null>;
  /** The highlights of the player's step or of an example; null: none. `suggested`: the step is the view's default. */
  readonly frameHighlights: Signal<Highlights | null>;
  /** The player was used after the last pin. */
  readonly played: ReadonlySignal<boolean>;
  /** Call when the player is used. */
  readonly onPlay: () => void;
  /** Parts of the page that a link locks, tensors among them. */
  readonly locked: ReadonlySignal<readonly string[]>;
  /** Parts of the page that a link hides. */
  readonly hiddenParts: ReadonlySignal<readonly string[]>;
  /** That of the problem. It may be ahead of the drawn result. */
  readonly loss: ReadonlySignal<Loss>;
  /** An exercise locks them and shows its own note. */
  readonly exercise: ReadonlySignal<boolean>;
  /** Cells that belong together are not outlined (look-store.ts). */
  readonly noHintYet: ReadonlySignal<boolean>;
  readonly layout: ReadonlySignal<StageLayout>;
  readonly events: ViewEvents;
}

const ViewModelContext = createContext<ViewModel | null>(null);
export const ViewModelProvider = ViewModelContext.Provider;

export function useViewModel(): ViewModel {
  const model = useContext(ViewModelContext);
  if (!model) throw new Error('no ViewModelProvider');
  return model;
}

/** A computed signal, recreated when one of `inputs` changes. */
export function useDerived<T>(compute: () => T, inputs: readonly unknown[]): ReadonlySignal<T> {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the linter checks `inputs` at the call sites
  return useMemo(() => computed(compute), inputs);
}

/** The sizes of the current problem. */
export const useGeometry = () => {
  const { content } = useViewModel();
  return useDerived(() => content.value.geometry, [content]).value;
};

/** Whether the layer has a bias. */
export const useBiased = () => {
  const { content } = useViewModel();
  return useDerived(() => content.value.tensors.b !== undefined, [content]).value;
};

/** The colors of values of both signs, with the page's transfer. */
export function useScale(maxAbs: number): ColorScale {
  const transfer = useViewModel().transfer.value;
  return useMemo(() => ({ maxAbs, ramp: 'signed', transfer }), [maxAbs, transfer]);
}

/** The plane of a tensor in focus. */
export function usePlane(tensor: TensorName): Plane {
  const g = useGeometry();
  const { n, c, k } = useViewModel().focus.value;
  return useMemo(() => planeOf(g, tensor, { n, c, k }), [g, tensor, n, c, k]);
}

/** The plane of a tensor in `focus` and its data; an image of x also as a photo. */
export function usePlaneData(
  g: Geometry,
  tensor: TensorName,
  { n, c, k }: Focus,
  values: Tensor | undefined,
  isPhoto: boolean,
) {
  const plane = useMemo(() => planeOf(g, tensor, { n, c, k }), [g, tensor, n, c, k]);
  const data = useMemo(() => gridData(plane, values?.data ?? new Float32Array(0)), [plane, values]);
  const photo = useMemo(
    () => (isPhoto && g.c === 3 && values ? photoOf(g, n, values.data) : undefined),
    [isPhoto, g, n, values],
  );
  return { plane, data, photo };
}

/** The same focus object while its indices are equal. */
export function stableFocus(focus: ReadonlySignal<Focus>): ReadonlySignal<Focus> {
  let last: Focus | null = null;
  return computed(() => {
    const { n, c, k } = focus.value;
    if (last?.n !== n || last.c !== c || last.k !== k) last = { n, c, k };
    return last;
  });
}

/** Other highlights, with the slices that they are on. */
interface Relit {
  readonly highlights: Highlights | null;
  readonly focus: Focus;
}

const relit = (model: ViewModel, highlights: ViewModel['highlights'], focus: () => Focus): ViewModel => ({
  ...model,
  focus: stableFocus(computed(focus)),
  highlights,
  userHighlights: highlights,
});

/** The view model with other highlights; unchanged while `lit` is null. */
export function useRelit(lit: ReadonlySignal<Relit | null>): ViewModel {
  const model = useViewModel();
  return useMemo(() => {
    const highlights = computed(() => (lit.value ?? { highlights: model.highlights.value }).highlights);
    return relit(model, highlights, () => lit.value?.focus ?? model.focus.value);
  }, [model, lit]);
}

/** Pinning a cell is a choice in the view; `choose` returns null for other cells. */
export function usePinned(choose: (cell: Cell) => ViewState | null, onState: (change: ViewState) => void): void {
  const { highlights } = useViewModel();
  const pinned = useDerived(() => (highlights.value?.pinned ? highlights.value.cell : null), [highlights]).value;
  const [tensor, index] = [pinned?.tensor, pinned?.index];
  useEffect(() => {
    const chosen = tensor !== undefined && index !== undefined ? choose({ tensor, index }) : null;
    if (chosen) onState(chosen);
  }, [tensor, index, choose, onState]);
}

/** One frame of a process; replaces parts of the whole result. */
interface FrameOverlay {
  readonly tensors?: Tensors;
  readonly focus?: Focus;
  /** Shown while no cell is hovered or pinned. */
  readonly highlights?: Highlights | null;
  /** The step was chosen, by the player or by a link. */
  readonly chosen?: boolean;
}

/** The view model with the frame's parts replaced. */
export function useFrameOverlay(frame: FrameOverlay | null): ViewModel {
  const model = useViewModel();
  const over = useSignal(frame);
  over.value = frame;
  usePublishHighlights(model, (!model.noHintYet.value && frame?.highlights) || null, frame?.chosen);
  return useMemo(() => {
    const tensors = computed(() => over.value?.tensors);
    const highlights = computed(
      () => model.userHighlights.value ?? (model.noHintYet.value ? null : (over.value?.highlights ?? null)),
    );
    const content = computed(() => {
      const all = model.content.value;
      return tensors.value ? { ...all, tensors: { ...all.tensors, ...tensors.value } } : all;
    });
    return { ...relit(model, highlights, () => over.value?.focus ?? model.focus.value), content };
  }, [model, over]);
}

export function usePublishHighlights(
  { frameHighlights }: ViewModel,
  highlights: Highlights | null,
  chosen = false,
): void {
  useLayoutEffect(() => {
    frameHighlights.value = highlights && { ...highlights, suggested: !chosen };
    return () => {
      frameHighlights.value = null;
    };
  }, [frameHighlights, highlights, chosen]);
}

/**
 * The rule of `userHighlights`: a frame replaces a suggested cell. The player's step replaces a pinned cell from the first use
 * of the player until the next pin.
 */
export function userHighlightsOf(
  now: Highlights | null,
  frame: Highlights | null,
  { played, hovered }: Pick<LookStore, 'played' | 'hovered'>,
): Highlights | null {
  if (now?.suggested && frame) return null;
  return now?.pinned && played.value && !hovered.value ? null : now;
}

type Frames = Pick<ViewModel, 'frameHighlights'> | null;
type Lit = Pick<LookStore, 'played' | 'hovered' | 'highlights'>;

/** What is outlined: `userHighlightsOf`, else the player's step, if problem `g` has that cell. */
function outlinesOf(g: Geometry, model: Frames, look: Lit): Highlights | null {
  const frame = model?.frameHighlights.value ?? null;
  const user = userHighlightsOf(look.highlights.value, frame, look);
  if (user || !frame || frame.cell.index >= gridOf(g, frame.cell.tensor).cells) return user;
  return { ...frame, pinned: false };
}

/** The highlights of Explain: `outlinesOf`. Before a step is chosen, Explain introduces the view. */
export function explainHighlightsOf(g: Geometry, model: Frames, look: Lit): Highlights | null {
  const lit = outlinesOf(g, model, look);
  return lit?.suggested && lit.cell === model?.frameHighlights.value?.cell && !look.played.value ? null : lit;
}

/**
 * `state` and `answers` always match: until the answers for `wanted` arrive, the view is drawn with the previous ones.
 * Controls show `wanted`, so that they respond at once.
 */
export interface ViewProps {
  readonly state: ViewState;
  readonly answers: Answers;
  readonly wanted: ViewState;
  /** Changes the given values and keeps the others. */
  readonly onState: (change: ViewState) => void;
}

/** A step of a player: the result of this many steps of a process. */
export type PlayerStep = PartialAsk;

/** What the questions of a view depend on. */
type Asking = Pick<Content, 'geometry' | 'tensors' | 'fixed' | 'loss' | 'index' | 'layers'>;

/** A view of the page. All its parts share one view model. */
export interface View {
  /** The question that the view answers, at most 80 characters; always in sight. */
  readonly question: string;
  /** Describes the view in one or two sentences. */
  readonly sentence: string;
  /** The questions to the library about the current problem. */
  readonly needs: (content: Asking, state: ViewState) => Needs;
  /** Drawn with the answers that have arrived; otherwise drawn only when all have. */
  readonly showsPartialAnswers?: boolean;
  readonly Component: ComponentType<ViewProps>;
  readonly Settings?: ComponentType<ViewProps> | undefined;
  readonly Player?: ComponentType<ViewProps> | undefined;
  /** The formulas of the view are the sums of these tensors. */
  readonly sums?: readonly ResultName[];
  /** Formulas besides the sums. */
  readonly formulas?: (content: Content, state: ViewState) => readonly string[];
  /** The pass that the code panel shows when neither the player nor a cell has one; by default forward. */
  readonly pass?: Pass;
  /** The step of a player that asks the library nothing. */
  readonly stepOf?: (state: ViewState) => PlayerStep | null;
  /** Text in the side panel while no cell is explained. */
  readonly About?: ComponentType<ViewProps & AboutProps>;
}

/** A cell of a convolution of a network, with the tensors of that layer alone. */
export interface LayerSumProps {
  /** Counted from 0. */
  readonly layer: number;
  readonly geometry: Geometry;
  readonly tensors: Tensors;
  readonly cell: Cell;
  /** The geometry and the names are those of the convolution from y to x. */
  readonly isTransposed?: true;
  /** Another cell of the layer was chosen. */
  readonly onCell: (cell: Cell) => void;
}

export interface AboutProps {
  /** The sum behind such a cell, with its numbers. */
  readonly renderSum?: (sum: LayerSumProps) => ComponentChildren;
}
