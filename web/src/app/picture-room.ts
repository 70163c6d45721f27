import type { ComputeClient } from '../compute/client';
import type { Address } from '../link/address';
import type { ConvError } from '../protocol/errors';
import type { TensorSource } from '../sources/tensor-sources';
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

/** What pictures are opened with. `onProblem` hears why one could not be, and null when a new attempt begins. */
export interface PictureRoom {
  readonly store: Store;
  readonly client: ComputeClient;
  readonly address: Address;
  readonly onProblem: (error: ConvError | null) => void;
  /** Whether something was done since the picture was asked for (Store.begin). */
  readonly later: ReturnType<Store['begin']>;
  /** Kept as long as undo can come back to the source. */
  readonly origins: WeakMap<TensorSource, Origin>;
}
