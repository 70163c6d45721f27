import { computed, type ReadonlySignal, useSignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { Focus } from '../../geometry/focus';
import type { Highlights } from '../../look/look-store';
import type { Cell } from '../../protocol/cell';
import type { Transfer } from '../../ui/colour-scale';
import type { Content, SceneEvents, Tensors } from './scene';
import type { StageLayout } from './stage/layout';

/**
 * What the panels of a mode draw. Signals, so that a panel reads what it shows itself: who points at a cell has the
 * outlines drawn and nothing else, and an edit renders the tensors that changed.
 */
export interface Picture {
  readonly content: ReadonlySignal<Content>;
  readonly focus: ReadonlySignal<Focus>;
  /** How values are spread over the colours. */
  readonly transfer: ReadonlySignal<Transfer>;
  /** The cell that one points at or has pinned. */
  readonly highlights: ReadonlySignal<Highlights | null>;
  /** The same, but null once the player was moved after the cell was pinned: the frame speaks for itself then. */
  readonly spoken: ReadonlySignal<Highlights | null>;
  /** The player was moved. */
  readonly onPlay: () => void;
  /** Tensors whose cells a link locks, among other parts of the page. */
  readonly locked: ReadonlySignal<readonly string[]>;
  readonly layout: ReadonlySignal<StageLayout>;
  readonly events: SceneEvents;
}

const PictureContext = createContext<Picture | null>(null);
export const PictureProvider = PictureContext.Provider;

export function usePicture(): Picture {
  const picture = useContext(PictureContext);
  if (!picture) throw new Error('a panel stands outside of a picture');
  return picture;
}

/** A signal computed from others; it is made anew when one of `inputs` is another. */
export function useDerived<T>(compute: () => T, inputs: readonly unknown[]): ReadonlySignal<T> {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the linter checks the lists of those who call this
  return useMemo(() => computed(compute), inputs);
}

/** The sizes of the problem on the stage, and the tensor of that name in it. */
export const useGeometry = () => {
  const { content } = usePicture();
  return useDerived(() => content.value.geometry, [content]).value;
};

/** The same focus object while its numbers are the same. */
export function steady(focus: ReadonlySignal<Focus>): ReadonlySignal<Focus> {
  let last: Focus | null = null;
  return computed(() => {
    const { n, c, k } = focus.value;
    if (last?.n !== n || last.c !== c || last.k !== k) last = { n, c, k };
    return last;
  });
}

/** What a frame of a process shows in place of the whole result. */
interface Frame {
  readonly tensors?: Tensors;
  readonly focus?: Focus;
  /** What the frame speaks of while nobody points. */
  readonly highlights?: Highlights | null;
}

const NOTHING: Frame = {};

/** The picture with a frame laid over it. */
export function useFramed(frame: Frame | null): Picture {
  const picture = usePicture();
  const over = useSignal<Frame>(frame ?? NOTHING);
  over.value = frame ?? NOTHING;
  return useMemo(() => {
    const tensors = computed(() => over.value.tensors);
    const highlights = computed(() => picture.spoken.value ?? over.value.highlights ?? null);
    return {
      ...picture,
      content: computed(() => {
        const content = picture.content.value;
        return tensors.value ? { ...content, tensors: { ...content.tensors, ...tensors.value } } : content;
      }),
      focus: steady(computed(() => over.value.focus ?? picture.focus.value)),
      highlights,
      spoken: highlights,
    };
  }, [picture, over]);
}

/** The rule of `spoken`: a cell that was pinned when the player was moved stands back, until another one is. */
export function hushable(
  highlights: ReadonlySignal<Highlights | null>,
  quiet: { value: Cell | null; peek(): Cell | null },
): Pick<Picture, 'spoken' | 'onPlay'> {
  return {
    spoken: computed(() => {
      const now = highlights.value;
      const hushed =
        now?.pinned === true && now.cell.tensor === quiet.value?.tensor && now.cell.index === quiet.value.index;
      return hushed ? null : now;
    }),
    onPlay() {
      const now = highlights.peek();
      quiet.value = now?.pinned ? now.cell : null;
    },
  };
}
