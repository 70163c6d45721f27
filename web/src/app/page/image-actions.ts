import type { ConvError, Geometry } from '../../protocol/problem';
import type { SampleName } from '../../sources/samples/draw-sample';
import type { TensorSource } from '../../sources/tensor-sources';
import { refused, withInput } from '../../state/edits';
import type { Problem, ShownLayer } from '../../state/problem';
import { failureText, lazy } from '../../ui/lazy';
import type { InputValues } from '../../views/shared/scene';
import type { ImageChannels, ImageContext, Page } from './page';

/** The code that opens images. */
const reader = lazy('The image reader', () => import('./open-images'));
type Images = typeof import('./open-images');

export function imageActionsOf(page: Pick<Page, 'store' | 'client' | 'address' | 'images'>) {
  const { store, client, address } = page;
  const { origins, refusal } = page.images;
  const open = async (how: (images: Images, room: ImageContext) => Promise<void>) => {
    const onProblem = (error: ConvError | null) => {
      refusal.value = error && { error, problem: store.problem.peek() };
    };
    const room: ImageContext = { store, client, address, origins, onProblem, later: store.begin() };
    onProblem(null);
    try {
      await how(await reader.wait(), room);
    } catch {
      // Also a sample image that did not load.
      const message = failureText(reader.what, reader.status.peek() === 'damaged');
      onProblem({ code: 'internal', field: 'file', message });
    }
  };
  return {
    openFile: (file: Blob, name: string, channels: ImageChannels) =>
      void open(({ openImageFile: openFile }, room) => openFile(room, file, name, channels)),
    openTarget: (file: Blob, name: string) => void open(({ openTarget }, room) => openTarget(room, file, name)),
    openSample: (name: SampleName, channels: ImageChannels) =>
      void open(({ openSample }, room) => openSample(room, name, channels)),
    /** Sets whole inputs of a problem with `geometry` to values from a view. */
    take: (values: InputValues, geometry: Geometry) =>
      store.accept(
        withValues(store.problem.peek(), store.layer.peek(), values, geometry),
        { field: 'w', text: '' },
        'values',
      ),
    /** Reads the image that is x again with other channels. */
    recolor: (channels: ImageChannels) => void open(({ recolor }, room) => recolor(room, channels)),
    /** The file of a source; undefined if the source came from a link. */
    originOf: (source: TensorSource) => origins.get(source),
  };
}

function withValues(problem: Problem, layer: ShownLayer, values: InputValues, { layout }: Geometry) {
  let taken = problem;
  for (const name of ['x', 'w', 'b'] as const) {
    const [tensor, data] = [layer[name], values[name]];
    if (!data) continue;
    if (layout !== problem.input.layout || tensor?.data.length !== data.length) {
      return refused(name, `the size of ${name} has changed`);
    }
    taken = withInput(taken, layer.index, name, { ...tensor, data, edited: true });
  }
  return { problem: taken };
}
