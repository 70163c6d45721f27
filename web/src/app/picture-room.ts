import { type Signal, signal } from '@preact/signals';
import type { ComputeClient } from '../compute/client';
import type { Address } from '../link/address';
import type { ConvError } from '../protocol/errors';
import type { TensorSource } from '../sources/tensor-sources';
import type { Problem } from '../state/problem';
import type { Store } from '../state/store-types';

export type PictureChannels = 1 | 3;

/** The file behind a picture: it can be read again in other colours. */
export interface Origin {
  readonly file: Blob;
  /** In pixels, when it was too large and is smaller in x. */
  readonly reduced: {
    readonly from: readonly [w: number, h: number];
    readonly to: readonly [w: number, h: number];
  } | null;
}

/** What the page knows of pictures. */
export interface PictureDesk {
  /** Colours of the next picture. */
  readonly channels: Signal<PictureChannels>;
  /** Why the last one could not be opened, and the problem that was in force then: with the next one it is over. */
  readonly refusal: Signal<{ readonly error: ConvError; readonly beside: Problem } | null>;
  /** Kept as long as undo can come back to the source. */
  readonly origins: WeakMap<TensorSource, Origin>;
}

export const createPictureDesk = (): PictureDesk => ({
  channels: signal(1),
  refusal: signal(null),
  origins: new WeakMap(),
});

/** What pictures are opened with. `onProblem` hears why one could not be, and null when a new attempt begins. */
export interface PictureRoom {
  readonly store: Store;
  readonly client: ComputeClient;
  readonly address: Address;
  readonly onProblem: (error: ConvError | null) => void;
  /** Whether something was done since the picture was asked for (Store.begin). */
  readonly later: ReturnType<Store['begin']>;
  readonly origins: PictureDesk['origins'];
}
