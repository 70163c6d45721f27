import { fill as filled, logicalOf } from '../../sources/logical';
import { loadSamples, SAMPLE_LABELS, type SampleName } from '../../sources/tensor-sources';
import { catchOutOfMemory } from '../../state/edits';
import { endOf, sizesOf } from '../../state/problem';
import type { Store } from '../../state/store';
import { editChannels, editImage, editMissingImage, type ImageInput, isOfSize } from '../../state/value-edits';
import { decodeImage } from './decode-image';
import type { ImageChannels, ImageContext, ImageOrigin } from './page';

/** Pixels. Enough for a photograph, and a slow phone still convolves it in an acceptable time. */
const MAX_SIDE = 1024;
const SAMPLE_SIDE = 256;

export async function openImageFile(
  room: ImageContext,
  file: Blob,
  name: string,
  channels: ImageChannels,
): Promise<void> {
  if (await fill(room, file, name)) return;
  const decoded = await decode(room, file, name, channels);
  if (!decoded) return;
  open(room.store, decoded.image);
  keep(room, decoded);
}

export async function openSample(room: ImageContext, name: SampleName, channels: ImageChannels): Promise<void> {
  await loadSamples();
  if (isSuperseded(room, SAMPLE_LABELS[name])) return;
  open(room.store, { h: SAMPLE_SIDE, w: SAMPLE_SIDE, channels, source: { kind: 'sample', name } });
}

/** Uses an image of the size of y as the target of the squared error. */
export async function openTarget(room: ImageContext, file: Blob, name: string): Promise<void> {
  const { store, onProblem } = room;
  const problem = store.problem.peek();
  const { n = 1, c: k = 0, layout = 'nhwc' } = sizesOf(problem).at(-1) ?? {};
  const refuse = (why: string) =>
    onProblem({ code: 'invalid_argument', field: 'file', message: `${name} cannot be the target: ${why}` });
  if (n !== 1 || (k !== 1 && k !== 3)) {
    refuse(`y has ${n} images with ${k} channels, but a target is 1 image with 1 or 3`);
    return;
  }
  const decoded = await decode(room, file, name, k);
  if (!decoded) return;
  const { h, w, source } = decoded.image;
  const shape = endOf(problem);
  const { sizes } = logicalOf('pixels', layout, shape);
  if (source.kind !== 'file' || h !== sizes[1] || w !== sizes[2]) {
    refuse(`it is ${h} × ${w} pixels, but y is ${sizes[1]} × ${sizes[2]}`);
    return;
  }
  const { data } = source;
  const target = filled(logicalOf('pixels', layout, shape), (_n, i, j, c) => data[(i * w + j) * k + c] ?? 0);
  store.setLoss({ kind: 'mse', target });
}

const open = (store: Store, image: ImageInput) =>
  store.accept(
    catchOutOfMemory(() => editImage(store.problem.peek(), store.layer.peek().index, image)),
    { field: 'x', text: image.source.name },
    'sizes',
  );

/** Whether a newer action won; after an edit the user gets a message. */
function isSuperseded({ later, onProblem }: ImageContext, name: string) {
  const newer = later();
  if (newer === 'edited') {
    const message = `${name} was not opened, because you changed something while it was loading. Open it again.`;
    onProblem({ code: 'stale', field: 'file', message });
  }
  return newer !== null;
}

export async function recolor(room: ImageContext, channels: ImageChannels): Promise<void> {
  const { store, origins, onProblem } = room;
  const {
    input: { h, w },
    x: { source },
  } = store.problem.peek();
  if (source.kind === 'sample') {
    await loadSamples();
    if (!isSuperseded(room, SAMPLE_LABELS[source.name])) recolored(store, { h, w, channels, source });
  } else if (source.kind === 'file') {
    const origin = origins.get(source);
    if (!origin) {
      const message = `the file ${source.name} is no longer available: open it again to change its colors`;
      onProblem({ code: 'image_unreadable', field: 'file', message });
      return;
    }
    const decoded = await decode(room, origin.file, source.name, channels);
    if (!decoded) return;
    recolored(store, decoded.image);
    keep(room, decoded);
  }
}

const recolored = (store: Store, image: ImageInput) =>
  store.accept(
    catchOutOfMemory(() => editChannels(store.problem.peek(), store.layer.peek().index, image)),
    { field: 'c', text: String(image.channels) },
    'sizes',
  );

interface Decoded {
  readonly image: ImageInput;
  readonly origin: ImageOrigin;
}

/** Remembers the file of the image that is now x. */
function keep({ store, origins }: ImageContext, { image, origin }: Decoded) {
  const { source } = store.problem.peek().x;
  if (source.kind === 'file' && source.name === image.source.name) origins.set(source, origin);
}

const failed = (message: string) =>
  ({ status: 'failed', error: { code: 'image_unreadable', field: 'file', message } }) as const;

async function decode(room: ImageContext, file: Blob, name: string, channels: ImageChannels): Promise<Decoded | null> {
  const decoded = await decodeImage(file, MAX_SIDE);
  const outcome =
    typeof decoded === 'string'
      ? failed(decoded)
      : await room.client.ask({ type: 'image', pixels: decoded.pixels, channels });
  if (isSuperseded(room, name)) return null;
  if (outcome.status === 'failed') room.onProblem({ ...outcome.error, message: `${name}: ${outcome.error.message}` });
  if (outcome.status !== 'done' || typeof decoded === 'string') return null;
  const { width: fromW, height: fromH } = decoded.original;
  const { tensor } = outcome.result;
  const [, h, w] = tensor.shape;
  const reduced = fromW === w && fromH === h ? null : ({ from: [fromW, fromH], to: [w, h] } as const);
  return { image: { h, w, channels, source: { kind: 'file', name, data: tensor.data } }, origin: { file, reduced } };
}

/** If the link named an image that is missing, and this one has its size: uses it, with the channels of the link. */
async function fill(room: ImageContext, file: Blob, name: string) {
  const { store, address } = room;
  if (!address.missing.peek().some(({ input, image }) => input === 'x' && image !== null)) return false;
  const { c } = store.problem.peek().input;
  const decoded = c === 1 || c === 3 ? await decode(room, file, name, c) : null;
  if (!decoded || !isOfSize(store.problem.peek(), decoded.image)) return false;
  store.accept(editMissingImage(store.problem.peek(), decoded.image), { field: 'x', text: name }, 'values');
  keep(room, decoded);
  return true;
}
