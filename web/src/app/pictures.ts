import type { ComputeClient } from '../compute/client';
import type { Address } from '../link/address';
import type { ConvError } from '../protocol/errors';
import type { SampleName } from '../sources/pictures';
import type { TensorSource } from '../sources/tensor-sources';
import type { Store } from '../state/store-types';
import type { OpenPictures } from './open-pictures';

/** How a picture becomes x. */

export type PictureChannels = 1 | 3;

export interface Pictures {
  readonly openFile: (file: Blob, name: string, channels: PictureChannels) => void;
  readonly openSample: (name: SampleName, channels: PictureChannels) => void;
  /** The picture that x is, in other colours. */
  readonly recolour: (channels: PictureChannels) => void;
  /** Of a source that is an opened file; missing where it came by a link. */
  readonly originOf: (source: TensorSource) => Origin | undefined;
}

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
  /** Kept as long as undo can come back to the source. */
  readonly origins: WeakMap<TensorSource, Origin>;
}

/** Opening one is no part of the first download. */
export function createPictures(parts: Omit<PictureRoom, 'origins'>): Pictures {
  const room: PictureRoom = { ...parts, origins: new WeakMap() };
  const open = async (how: (pictures: OpenPictures) => Promise<void>) => {
    room.onProblem(null);
    try {
      await how(await import('./open-pictures'));
    } catch (cause) {
      const message = `the picture could not be fetched: ${cause}`;
      room.onProblem({ code: 'internal', field: 'file', message });
    }
  };
  return {
    openFile: (file, name, channels) => void open(({ openFile }) => openFile(room, file, name, channels)),
    openSample: (name, channels) => void open(({ openSample }) => openSample(room, name, channels)),
    recolour: (channels) => void open(({ recolour }) => recolour(room, channels)),
    originOf: (source) => room.origins.get(source),
  };
}
