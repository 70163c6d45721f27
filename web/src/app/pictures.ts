import type { SampleName } from '../sources/samples/names';
import type { TensorSource } from '../sources/tensor-sources';
import type { Origin, PictureChannels, PictureRoom } from './picture-room';

/** How a picture becomes x. */

export interface Pictures {
  readonly openFile: (file: Blob, name: string, channels: PictureChannels) => void;
  readonly openSample: (name: SampleName, channels: PictureChannels) => void;
  /** The picture that x is, in other colours. */
  readonly recolour: (channels: PictureChannels) => void;
  /** Of a source that is an opened file; missing where it came by a link. */
  readonly originOf: (source: TensorSource) => Origin | undefined;
}

/** Opening one is no part of the first download. */
export function createPictures(parts: Omit<PictureRoom, 'origins'>): Pictures {
  const room: PictureRoom = { ...parts, origins: new WeakMap() };
  const open = async (how: (pictures: typeof import('./open-pictures')) => Promise<void>) => {
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
