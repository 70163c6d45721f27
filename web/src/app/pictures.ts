import type { ComputeClient } from '../compute/client';
import type { Address } from '../link/address';
import type { ConvError } from '../protocol/errors';
import type { SampleName } from '../sources/pictures';
import type { Store } from '../state/store-types';
import type { OpenPictures } from './open-pictures';

/** How a picture becomes x. */

export type PictureChannels = 1 | 3;

export interface Pictures {
  readonly openFile: (file: Blob, name: string, channels: PictureChannels) => void;
  readonly openSample: (name: SampleName, channels: PictureChannels) => void;
}

/** What pictures are opened with. `onProblem` hears why one could not be, and null when a new attempt begins. */
export interface PictureRoom {
  readonly store: Store;
  readonly client: ComputeClient;
  readonly address: Address;
  readonly onProblem: (error: ConvError | null) => void;
}

/** Opening one is no part of the first download. */
export function createPictures(room: PictureRoom): Pictures {
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
  };
}
