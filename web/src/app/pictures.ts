import type { ComputeClient } from '../compute/client';
import type { Address } from '../link/address';
import type { ConvError } from '../protocol/errors';
import { isOfSize, type Picture } from '../state/edits';
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
  address: Address,
  onProblem: (error: ConvError | null) => void,
): Pictures {
  const decode = async (file: Blob, name: string, channels: PictureChannels): Promise<Picture | null> => {
    const outcome = await client.ask({ type: 'decode_image', file, channels, max_side: MOST_SIDE });
    if (outcome.status === 'failed') onProblem({ ...outcome.error, message: `${name}: ${outcome.error.message}` });
    if (outcome.status !== 'done') return null;
    const { tensor } = outcome.result;
    const [, h, w] = tensor.shape;
    return { h, w, channels, source: { kind: 'file', name, data: tensor.data } };
  };
  /** A link named a picture, and this one is of its size: then it is the one, with as many channels as the link has. */
  const fill = async (file: Blob, name: string): Promise<boolean> => {
    if (!address.missing.peek().some(({ input, picture }) => input === 'x' && picture !== null)) return false;
    const { c } = store.problem.peek().desc;
    const picture = c === 1 || c === 3 ? await decode(file, name, c) : null;
    if (!picture || !isOfSize(store.problem.peek(), picture)) return false;
    store.fillPicture(picture);
    return true;
  };
  return {
    openFile(file, name, channels) {
      onProblem(null);
      void (async () => {
        if (await fill(file, name)) return;
        const picture = await decode(file, name, channels);
        if (picture) store.openPicture(picture);
      })();
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
