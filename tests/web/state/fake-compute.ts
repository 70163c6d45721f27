import { descOn, sizesOfShape } from '../../../web/src/protocol/layers';
import type { ComputeRequest, ComputeResult, LayerResult, Outcome } from '../../../web/src/protocol/messages';
import type { ConvError } from '../../../web/src/protocol/problem';
import { shapeSize, yShape } from '../../../web/src/protocol/shapes';
import type { Compute } from '../../../web/src/state/store';
import { geometryOf } from '../geometry/arbitrary-geometry';

const NO_STATS = { min: 0, max: 0, max_abs: 0, not_finite: 0 };

/** The layers with their geometry, and dy as computed for `ones`. */
function layersOf({ input, layers }: ComputeRequest): readonly LayerResult[] {
  let sizes = input;
  return layers.map(({ window }) => {
    const desc = descOn(window, sizes);
    const shape = yShape(desc);
    sizes = sizesOfShape(input.layout, shape);
    const dy = { shape, data: new Float32Array(shapeSize(shape)).fill(1), stats: NO_STATS };
    return { geometry: geometryOf(desc), tensors: { dy }, unchanged: [], stats: { w: NO_STATS, b: null }, runs: {} };
  });
}

/** Computes only the geometry; the test releases each answer. */
export class FakeLibrary {
  readonly requests: ComputeRequest[] = [];
  readonly #answers: ((answer: Outcome<ComputeResult>) => void)[] = [];

  readonly compute: Compute = (request) => {
    this.requests.push(request);
    return new Promise((resolve) => this.#answers.push(resolve));
  };

  /** Answers request `index` (default: the newest), with `tensors` of its first layer, and lets the store process it. */
  async answer(
    index = this.requests.length - 1,
    tensors: LayerResult['tensors'] = {},
    change: Partial<ComputeResult> = {},
  ): Promise<void> {
    const request = this.requests[index];
    if (!request) throw new Error(`no request ${index}`);
    const result: ComputeResult = {
      type: 'compute',
      revision: index,
      x_stats: NO_STATS,
      loss: null,
      layers: layersOf(request).map((layer, i) =>
        i === 0 ? { ...layer, tensors: { ...layer.tensors, ...tensors } } : layer,
      ),
      ...change,
    };
    await this.settle({ status: 'done', result }, index);
  }

  async refuse(error: ConvError, index = this.requests.length - 1): Promise<void> {
    await this.settle({ status: 'failed', error }, index);
  }

  async settle(answer: Outcome<ComputeResult>, index = this.requests.length - 1): Promise<void> {
    this.#answers[index]?.(answer);
    await Promise.resolve();
    await Promise.resolve();
  }
}
