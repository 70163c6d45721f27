import type { SampleName } from '../sources/samples/names';
import type { TensorSource } from '../sources/tensor-sources';
import type { Page } from './page';
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

export const picturesOf = ({ store, client, address, pictures: { origins, refusal } }: Page): Pictures =>
  createPictures({
    store,
    client,
    address,
    origins,
    onProblem: (error) => {
      refusal.value = error && { error, beside: store.problem.peek() };
    },
  });

/** What opens them is fetched with the first one. */
export function createPictures(parts: Omit<PictureRoom, 'later'>): Pictures {
  const open = async (how: (pictures: typeof import('./open-pictures'), room: PictureRoom) => Promise<void>) => {
    const room: PictureRoom = { ...parts, later: parts.store.begin() };
    room.onProblem(null);
    try {
      await how(await import('./open-pictures'), room);
    } catch {
      const message = 'what opens pictures could not be fetched: check the connection, then try again';
      room.onProblem({ code: 'internal', field: 'file', message });
    }
  };
  return {
    openFile: (file, name, channels) => void open(({ openFile }, room) => openFile(room, file, name, channels)),
    openSample: (name, channels) => void open(({ openSample }, room) => openSample(room, name, channels)),
    recolour: (channels) => void open(({ recolour }, room) => recolour(room, channels)),
    originOf: (source) => parts.origins.get(source),
  };
}
