import { yShape } from '../protocol/shapes';
import { fill as filled, logicalOf } from '../sources/logical';
import { loadSamples } from '../sources/pictures';
import { SAMPLE_LABELS, type SampleName } from '../sources/samples/names';
import { affordable } from '../state/edits';
import { editColours, editMissingPicture, editPicture, isOfSize, type Picture } from '../state/picture-edits';
import type { Store } from '../state/store-types';
import type { Origin, PictureChannels, PictureRoom } from './picture-room';

/** Large enough for a photograph, small enough that a slow phone convolves it while one waits. */
const MOST_SIDE = 1024;
/** Side of a picture that the program draws. */
const SAMPLE_SIDE = 256;

export async function openFile(room: PictureRoom, file: Blob, name: string, channels: PictureChannels): Promise<void> {
  if (await fill(room, file, name)) return;
  const decoded = await decode(room, file, name, channels);
  if (!decoded) return;
  open(room.store, decoded.picture);
  keep(room, decoded);
}

export async function openSample(room: PictureRoom, name: SampleName, channels: PictureChannels): Promise<void> {
  await loadSamples();
  if (isOvertaken(room, SAMPLE_LABELS[name])) return;
  open(room.store, { h: SAMPLE_SIDE, w: SAMPLE_SIDE, channels, source: { kind: 'sample', name } });
}

/** Makes a picture of y's size the target of the squared error. */
export async function openTarget(room: PictureRoom, file: Blob, name: string): Promise<void> {
  const { store, onProblem } = room;
  const { desc } = store.problem.peek();
  const refuse = (why: string) =>
    onProblem({ code: 'invalid_argument', field: 'file', message: `${name} cannot be the target: ${why}` });
  const { n, k, layout } = desc;
  if (n !== 1 || (k !== 1 && k !== 3)) {
    refuse(`y has ${k} channels of ${n} images, but a picture is one image of 1 or 3`);
    return;
  }
  const decoded = await decode(room, file, name, k);
  if (!decoded) return;
  const { h, w, source } = decoded.picture;
  const shape = yShape(desc);
  const { sizes } = logicalOf('pixels', layout, shape);
  if (source.kind !== 'file' || h !== sizes[1] || w !== sizes[2]) {
    refuse(`it has ${h} × ${w} pixels, but y has ${sizes[1]} × ${sizes[2]}`);
    return;
  }
  const { data } = source;
  const target = filled(logicalOf('pixels', layout, shape), (_n, i, j, c) => data[(i * w + j) * k + c] ?? 0);
  store.setDySource({ kind: 'mse', target });
}

const open = (store: Store, picture: Picture): void =>
  store.accept(
    affordable(() => editPicture(store.problem.peek(), picture)),
    { field: 'x', text: picture.source.name },
    'sizes',
  );

/** Whether something was done meanwhile, which then stands. */
function isOvertaken({ later, onProblem }: PictureRoom, name: string): boolean {
  const overtaken = later();
  if (overtaken === 'edited') {
    const message = `${name} was not opened: something was changed while it was being read. Open it again to have it.`;
    onProblem({ code: 'stale', field: 'file', message });
  }
  return overtaken !== null;
}

/** In the colours that are asked for; the file is read again. */
export async function recolour(room: PictureRoom, channels: PictureChannels): Promise<void> {
  const { store, origins, onProblem } = room;
  const { source } = store.problem.peek().x;
  const { h, w } = store.problem.peek().desc;
  if (source.kind === 'sample') {
    await loadSamples();
    if (!isOvertaken(room, SAMPLE_LABELS[source.name])) recoloured(store, { h, w, channels, source });
  } else if (source.kind === 'file') {
    const origin = origins.get(source);
    if (!origin) {
      const message = `the page no longer has the file ${source.name}: open it again to have it in other colours`;
      onProblem({ code: 'image_unreadable', field: 'file', message });
      return;
    }
    const decoded = await decode(room, origin.file, source.name, channels);
    if (!decoded) return;
    recoloured(store, decoded.picture);
    keep(room, decoded);
  }
}

const recoloured = (store: Store, picture: Picture): void =>
  store.accept(
    affordable(() => editColours(store.problem.peek(), picture)),
    { field: 'c', text: String(picture.channels) },
    'sizes',
  );

interface Decoded {
  readonly picture: Picture;
  readonly origin: Origin;
}

/** Remembers the file behind the picture that x is now. */
function keep({ store, origins }: PictureRoom, { picture, origin }: Decoded): void {
  const { source } = store.problem.peek().x;
  if (source.kind === 'file' && source.name === picture.source.name) origins.set(source, origin);
}

async function decode(room: PictureRoom, file: Blob, name: string, channels: PictureChannels): Promise<Decoded | null> {
  const outcome = await room.client.ask({ type: 'decode_image', file, channels, max_side: MOST_SIDE });
  if (isOvertaken(room, name)) return null;
  if (outcome.status === 'failed') room.onProblem({ ...outcome.error, message: `${name}: ${outcome.error.message}` });
  if (outcome.status !== 'done') return null;
  const { tensor, original_width: fromW, original_height: fromH } = outcome.result;
  const [, h, w] = tensor.shape;
  const reduced = fromW === w && fromH === h ? null : ({ from: [fromW, fromH], to: [w, h] } as const);
  return { picture: { h, w, channels, source: { kind: 'file', name, data: tensor.data } }, origin: { file, reduced } };
}

/** A link named a picture, and this one is of its size: then it is the one, with as many channels as the link has. */
async function fill(room: PictureRoom, file: Blob, name: string): Promise<boolean> {
  const { store, address } = room;
  if (!address.missing.peek().some(({ input, picture }) => input === 'x' && picture !== null)) return false;
  const { c } = store.problem.peek().desc;
  const decoded = c === 1 || c === 3 ? await decode(room, file, name, c) : null;
  if (!decoded || !isOfSize(store.problem.peek(), decoded.picture)) return false;
  store.accept(editMissingPicture(store.problem.peek(), decoded.picture), { field: 'x', text: name }, 'values');
  keep(room, decoded);
  return true;
}
