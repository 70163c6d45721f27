import { effect, type Signal, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import type { CommandContext } from '../../commands/command';
import { ComputeClient } from '../../compute/client';
import { type Address, createAddress } from '../../link/address';
import type { ParsedLink } from '../../link/field';
import type { SideId } from '../../look/look';
import { createLook, type LookStore } from '../../look/look-store';
import type { ComputeRequest } from '../../protocol/messages';
import type { Cell, ConvDesc, ConvError, Geometry, Hidden, InputName } from '../../protocol/problem';
import type { TensorSource } from '../../sources/tensor-sources';
import { cellsIn, lockError } from '../../state/edits';
import { type Shown, sentHidden } from '../../state/exchange';
import type { Problem } from '../../state/problem';
import { createStore, type Later, type Store } from '../../state/store';
import { hasHiddenValues } from '../../ui/numbers';
import { followsDrags } from '../../views/list';
import { sharedParts } from '../../views/shared/deferred';
import type { ViewEvents } from '../../views/shared/scene';
import type { View } from '../../views/shared/view-model';

/** The parts of the running page. */
export interface Page {
  readonly store: Store;
  readonly client: ComputeClient;
  readonly status: ComputeClient['status'];
  readonly look: LookStore;
  readonly address: Address;
  readonly images: ImageInputState;
  /** The content of the views, without their layout; null while there is no result. */
  readonly currentContent: Store['shown'];
  readonly kept: KeptState;
  /** Parts that replace those of the Overview. */
  readonly picture: Signal<Partial<View> | null>;
}

/** A result that the user keeps, to see what changes. */
interface KeptState {
  readonly result: Signal<Shown | null>;
  /** The Overview shows the current result minus the kept one. */
  readonly showsDifference: Signal<boolean>;
}

export function createPage(page: Window, opened: ParsedLink): Page {
  const client = new ComputeClient();
  const look = createLook(() => sharedParts.value?.linksOf ?? null, opened.look);
  if (opened.suggested) look.suggest(opened.suggested);
  const store = createStore(opened.problem, {
    look,
    guard: (before, after) => lockError(look.locked.peek(), before, after, look.exercise.peek()),
  });
  store.shown.subscribe((content) =>
    look.setGeometry(content?.geometry ?? null, content !== null && content.loss !== null),
  );
  const hidden = createRequestMasker(store, look);
  store.connect(
    (request) => client.compute(hidden(request)),
    () => followsDrags(look.mode.peek()),
  );
  const images: ImageInputState = { channels: signal(1), refusal: signal(null), origins: new WeakMap() };
  const address = createAddress(store, look, opened, page);
  const kept: KeptState = { result: signal(null), showsDifference: signal(false) };
  return {
    store,
    client,
    look,
    address,
    images,
    kept,
    status: client.status,
    currentContent: store.shown,
    picture: signal<Partial<View> | null>(null),
  };
}

const SAME_SHAPE: Readonly<Record<string, InputName>> = { y: 'dy', dx: 'x', dw: 'w', db: 'b' };

/** Cells stay hidden at their position when sizes change. An intermediate matrix is then hidden as a whole. */
function moved(hidden: readonly Hidden[], from: Geometry, desc: ConvDesc) {
  const next = hidden.flatMap(({ tensor, index }): readonly Hidden[] => {
    // Those of a network end in a digit.
    if (index === null || /\d$/.test(tensor)) return [{ tensor, index }];
    if (tensor.includes('_')) return [{ tensor, index: null }];
    const input = SAME_SHAPE[tensor] ?? (tensor as InputName);
    return cellsIn(desc, { tensor: input, indices: [index], geometry: from }).map((at) => ({ tensor, index: at }));
  });
  return JSON.stringify(next) === JSON.stringify(hidden) ? hidden : next;
}

/** Adds the hidden cells to each request: those of the look at the time of the request, in the sizes of the request. */
function createRequestMasker(store: Store, look: LookStore): (request: ComputeRequest) => ComputeRequest {
  /** Hidden cells in the look at the last request, and the same cells in its sizes. */
  let requested = look.hiddenCells.peek();
  let sent = requested;
  /** The geometry that the cells of `hiddenCells` address, once a result with it is shown. */
  let addressed: { readonly hiddenCells: readonly Hidden[]; readonly geometry: Geometry } | null = null;
  effect(() => {
    const shown = store.shown.value;
    hasHiddenValues.value = shown?.hides === true;
    if (shown && look.hiddenCells.peek() === requested && shown.problem === store.problem.peek()) {
      requested = sent;
      look.hiddenCells.value = sent;
      addressed = { hiddenCells: sent, geometry: shown.geometry };
    }
    if (look.hiddenCells.value !== requested) store.retry();
  });
  return (request) => {
    requested = look.hiddenCells.peek();
    sent =
      addressed?.hiddenCells === requested ? moved(requested, addressed.geometry, store.layer.peek().desc) : requested;
    return { ...request, hidden: sentHidden(sent) };
  };
}

export type ImageChannels = 1 | 3;

/** The file of an image: it can be read again with other channels. */
export interface ImageOrigin {
  readonly file: Blob;
  /** Sizes in pixels, if the image was reduced because it was too large. */
  readonly reduced: {
    readonly from: readonly [w: number, h: number];
    readonly to: readonly [w: number, h: number];
  } | null;
}

interface ImageInputState {
  readonly channels: Signal<ImageChannels>;
  /** Why the last image could not be opened. The error is shown until `problem` changes. */
  readonly refusal: Signal<{ readonly error: ConvError; readonly problem: Problem } | null>;
  /** Weak: an entry stays as long as undo can restore the source. */
  readonly origins: WeakMap<TensorSource, ImageOrigin>;
}

/** Dependencies of opening an image. `onProblem` receives the error, and null when a new attempt begins. */
export interface ImageContext extends Pick<Page, 'store' | 'client' | 'address'> {
  readonly onProblem: (error: ConvError | null) => void;
  /** Whether something newer happened since the image was requested (Store.begin). */
  readonly later: Later;
  readonly origins: ImageInputState['origins'];
}

/** A part of the page that is made when it is first needed, and survives the components that use it. */
export function perPage<Part>(create: (page: Page) => Part): (page: Page) => Part {
  const parts = new WeakMap<Page, Part>();
  return (page) => {
    const part = parts.get(page) ?? create(page);
    parts.set(page, part);
    return part;
  };
}

export interface SideTabProps {
  readonly page: Page;
  readonly context: CommandContext;
  readonly events: ViewEvents;
}

/** `predicted`: the reader is asked for the number of this cell. */
type ExplainTabComponent = ComponentType<SideTabProps & { readonly predicted?: Cell | undefined }>;

/** Lessons and exercises show the explanation of a cell below their text. */
export type StudyProps = SideTabProps & { readonly Explain: ExplainTabComponent };

export interface SideTab {
  readonly id: SideId;
  readonly title: string;
  readonly Component: ComponentType<SideTabProps>;
}
