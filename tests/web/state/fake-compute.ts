import type { ComputeRequest, ComputeResult, Outcome } from '../../../web/src/protocol/messages';
import type { ConvError } from '../../../web/src/protocol/problem';
import { shapeSize, yShape } from '../../../web/src/protocol/shapes';
import type { Compute } from '../../../web/src/state/store';
import { geometryOf } from '../geometry/arbitrary-geometry';

const NO_STATS = { min: 0, max: 0, max_abs: 0, not_finite: 0 };

/** dy as computed for `ones`. */
function onesOf({ desc }: ComputeRequest): ComputeResult['tensors'] {
  const shape = yShape(desc);
  return { dy: { shape, data: new Float32Array(shapeSize(shape)).fill(1), stats: NO_STATS } };
}

/** Computes only the geometry; the test releases each answer. */
export class FakeLibrary {
  readonly requests: ComputeRequest[] = [];
  readonly #answers: ((answer: Outcome<ComputeResult>) => void)[] = [];

  readonly compute: Compute = (request) => {
    this.requests.push(request);
    return new Promise((resolve) => this.#answers.push(resolve));
  };

  /** Answers request `index` (default: the newest) and lets the store process it. */
  async answer(
    index = this.requests.length - 1,
    tensors: ComputeResult['tensors'] = {},
    change: Partial<ComputeResult> = {},
  ): Promise<void> {
    const request = this.requests[index];
    if (!request) throw new Error(`no request ${index}`);
    const result: ComputeResult = {
      type: 'compute',
      revision: index,
      geometry: geometryOf(request.desc),
      input_stats: { x: NO_STATS, w: NO_STATS, b: null },
      loss: null,
      tensors: { ...onesOf(request), ...tensors },
      runs: {},
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
