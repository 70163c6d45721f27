import type { ComputeClient } from '../compute/client';
import type { ConvError } from '../protocol/errors';
import { loadSamples } from '../state/generate';
import type { SampleName } from '../state/sources';
import type { Store } from '../state/store-types';

/** How a picture becomes x. */

/** Large enough for a photograph, small enough that a slow phone convolves it while one waits. */
const MOST_SIDE = 1024;
/** Side of a picture that the program draws. */
const SAMPLE_SIDE = 256;

export type PictureChannels = 1 | 3;

export interface Pictures {
  readonly openFile: (file: Blob, name: string, channels: PictureChannels) => void;
  readonly openSample: (name: SampleName, channels: PictureChannels) => void;
}

/** `onProblem` hears why a file could not be opened, and null when a new attempt begins. */
export function createPictures(
  store: Store,
  client: ComputeClient,
  onProblem: (error: ConvError | null) => void,
): Pictures {
  return {
    openFile(file, name, channels) {
      onProblem(null);
      void client.ask({ type: 'decode_image', file, channels, max_side: MOST_SIDE }).then((outcome) => {
        if (outcome.status === 'failed') onProblem({ ...outcome.error, message: `${name}: ${outcome.error.message}` });
        if (outcome.status !== 'done') return;
        const { tensor } = outcome.result;
        const [, h, w] = tensor.shape;
        store.openPicture({ h, w, channels, source: { kind: 'file', name, data: tensor.data } });
      });
    },
    openSample(name, channels) {
      onProblem(null);
      void loadSamples().then(
        () => store.openPicture({ h: SAMPLE_SIDE, w: SAMPLE_SIDE, channels, source: { kind: 'sample', name } }),
        (cause) =>
          onProblem({ code: 'internal', field: 'file', message: `the picture could not be fetched: ${cause}` }),
      );
    },
  };
}

/** The first picture among dropped or pasted things. */
export function pictureIn(transfer: DataTransfer | null): File | null {
  return [...(transfer?.files ?? [])].find(({ type }) => type.startsWith('image/')) ?? null;
}
