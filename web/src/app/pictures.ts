import type { Geometry } from '../protocol/problem';
import type { SampleName } from '../sources/samples/names';
import type { TensorSource } from '../sources/tensor-sources';
import { editValues, type Values } from '../state/value-edits';
import type { Page } from './page';
import type { Origin, PictureChannels, PictureRoom } from './picture-room';

/** How a picture becomes x, or the target of y; and whole inputs what a view made of them. */

export interface Pictures {
  readonly openFile: (file: Blob, name: string, channels: PictureChannels) => void;
  /** As the target of y. */
  readonly openTarget: (file: Blob, name: string) => void;
  readonly openSample: (name: SampleName, channels: PictureChannels) => void;
  /** Numbers that a view was given for whole inputs of a picture of `geometry`. */
  readonly take: (values: Values, geometry: Geometry) => void;
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
    openTarget: (file, name) => void open(({ openTarget }, room) => openTarget(room, file, name)),
    openSample: (name, channels) => void open(({ openSample }, room) => openSample(room, name, channels)),
    take: (values, geometry) =>
      parts.store.accept(editValues(parts.store.problem.peek(), values, geometry), { field: 'w', text: '' }, 'values'),
    recolour: (channels) => void open(({ recolour }, room) => recolour(room, channels)),
    originOf: (source) => parts.origins.get(source),
  };
}
