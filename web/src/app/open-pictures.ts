import { loadSamples, type SampleName } from '../sources/pictures';
import { editMissingPicture, editPicture, isOfSize, type Picture } from '../state/picture-edits';
import type { Store } from '../state/store-types';
import type { PictureChannels, PictureRoom } from './pictures';

export type OpenPictures = typeof import('./open-pictures');

/** Large enough for a photograph, small enough that a slow phone convolves it while one waits. */
const MOST_SIDE = 1024;
/** Side of a picture that the program draws. */
const SAMPLE_SIDE = 256;

export async function openFile(room: PictureRoom, file: Blob, name: string, channels: PictureChannels): Promise<void> {
  if (await fill(room, file, name)) return;
  const picture = await decode(room, file, name, channels);
  if (picture) open(room.store, picture);
}

export async function openSample({ store }: PictureRoom, name: SampleName, channels: PictureChannels): Promise<void> {
  await loadSamples();
  open(store, { h: SAMPLE_SIDE, w: SAMPLE_SIDE, channels, source: { kind: 'sample', name } });
}

const open = (store: Store, picture: Picture): void =>
  store.accept(editPicture(store.problem.peek(), picture), { field: 'x', text: picture.source.name }, 'sizes');

async function decode(
  { client, onProblem }: PictureRoom,
  file: Blob,
  name: string,
  channels: PictureChannels,
): Promise<Picture | null> {
  const outcome = await client.ask({ type: 'decode_image', file, channels, max_side: MOST_SIDE });
  if (outcome.status === 'failed') onProblem({ ...outcome.error, message: `${name}: ${outcome.error.message}` });
  if (outcome.status !== 'done') return null;
  const { tensor } = outcome.result;
  const [, h, w] = tensor.shape;
  return { h, w, channels, source: { kind: 'file', name, data: tensor.data } };
}

/** A link named a picture, and this one is of its size: then it is the one, with as many channels as the link has. */
async function fill(room: PictureRoom, file: Blob, name: string): Promise<boolean> {
  const { store, address } = room;
  if (!address.missing.peek().some(({ input, picture }) => input === 'x' && picture !== null)) return false;
  const { c } = store.problem.peek().desc;
  const picture = c === 1 || c === 3 ? await decode(room, file, name, c) : null;
  if (!picture || !isOfSize(store.problem.peek(), picture)) return false;
  store.accept(editMissingPicture(store.problem.peek(), picture), { field: 'x', text: name }, 'values');
  return true;
}
