import type { Geometry } from '../../protocol/problem';
import type { SampleName, TensorSource } from '../../sources/tensor-sources';
import { editValues, type Values } from '../../state/value-edits';
import type { ImageChannels, ImageContext, ImageOrigin } from './image-context';
import type { Page } from './page';

export interface ImageActions {
  readonly openFile: (file: Blob, name: string, channels: ImageChannels) => void;
  /** As the target of y. */
  readonly openTarget: (file: Blob, name: string) => void;
  readonly openSample: (name: SampleName, channels: ImageChannels) => void;
  /** Sets whole inputs of a problem with `geometry` to values from a view. */
  readonly take: (values: Values, geometry: Geometry) => void;
  /** Reads the image that is x again with other channels. */
  readonly recolor: (channels: ImageChannels) => void;
  /** The file of a source; undefined if the source came from a link. */
  readonly originOf: (source: TensorSource) => ImageOrigin | undefined;
}

export const imageActionsOf = ({ store, client, address, images: { origins, refusal } }: Page): ImageActions =>
  createImageActions({
    store,
    client,
    address,
    origins,
    onProblem: (error) => {
      refusal.value = error && { error, problem: store.problem.peek() };
    },
  });

/** The code that opens images is loaded with the first one. */
export function createImageActions(parts: Omit<ImageContext, 'later'>): ImageActions {
  const open = async (how: (images: typeof import('./open-images'), room: ImageContext) => Promise<void>) => {
    const room: ImageContext = { ...parts, later: parts.store.begin() };
    room.onProblem(null);
    try {
      await how(await import('./open-images'), room);
    } catch {
      const message = 'the image reader failed to load: check your connection and try again';
      room.onProblem({ code: 'internal', field: 'file', message });
    }
  };
  return {
    openFile: (file, name, channels) => void open(({ openFile }, room) => openFile(room, file, name, channels)),
    openTarget: (file, name) => void open(({ openTarget }, room) => openTarget(room, file, name)),
    openSample: (name, channels) => void open(({ openSample }, room) => openSample(room, name, channels)),
    take: (values, geometry) =>
      parts.store.accept(editValues(parts.store.problem.peek(), values, geometry), { field: 'w', text: '' }, 'values'),
    recolor: (channels) => void open(({ recolor }, room) => recolor(room, channels)),
    originOf: (source) => parts.origins.get(source),
  };
}
