import { type Signal, signal } from '@preact/signals';
import type { ComputeClient } from '../../compute/client';
import type { Address } from '../../link/address';
import type { ConvError } from '../../protocol/errors';
import type { TensorSource } from '../../sources/tensor-sources';
import type { Problem } from '../../state/problem';
import type { Store } from '../../state/store-types';

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

/** State of opened images. */
export interface ImageInputState {
  /** Channels of the next image. */
  readonly channels: Signal<ImageChannels>;
  /** Why the last image could not be opened. The error is shown until `problem` changes. */
  readonly refusal: Signal<{ readonly error: ConvError; readonly problem: Problem } | null>;
  /** Weak: an entry stays as long as undo can restore the source. */
  readonly origins: WeakMap<TensorSource, ImageOrigin>;
}

export const createImageInputState = (): ImageInputState => ({
  channels: signal(1),
  refusal: signal(null),
  origins: new WeakMap(),
});

/** Dependencies of opening an image. `onProblem` receives the error, and null when a new attempt begins. */
export interface ImageContext {
  readonly store: Store;
  readonly client: ComputeClient;
  readonly address: Address;
  readonly onProblem: (error: ConvError | null) => void;
  /** Whether something newer happened since the image was requested (Store.begin). */
  readonly later: ReturnType<Store['begin']>;
  readonly origins: ImageInputState['origins'];
}
