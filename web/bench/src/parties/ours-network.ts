import { SessionHeap } from '../../../src/engine/session-heap';
import { PASSES } from '../../../src/protocol/problem';
import type { MainModule } from '../../../src/wasm/module';
import { chainOf } from '../../../src/worker/chain';
import { changesOf, layersOf, type NetworkCase, type NetworkStep } from '../network';
import type { Runner } from '../party';

const CONVOLUTIONS = [0, 3];

/** A network in a session of a module. */
class TrainedNetwork {
  readonly heap: SessionHeap;
  readonly #case: NetworkCase;

  /** `algorithm` of all passes; '': the plan chooses. */
  constructor(module: MainModule, of: NetworkCase, algorithm: string) {
    this.#case = of;
    this.heap = new SessionHeap(module);
    try {
      const { network } = of;
      this.heap.setChain(...chainOf(module, { input: network.input, layers: layersOf(network) }), 'mse');
      for (const layer of CONVOLUTIONS) for (const pass of PASSES) this.heap.at(layer).setAlgorithm(pass, algorithm);
      this.start();
    } catch (error) {
      this.heap.close();
      throw error;
    }
  }

  start(): void {
    const { x, target, parameters } = this.#case;
    this.heap.write('x', x);
    this.heap.write('target', target);
    for (const [i, name] of (['w', 'b', 'w', 'b'] as const).entries()) {
      const values = parameters[i];
      if (values) this.heap.at(CONVOLUTIONS[i >> 1] ?? 0).write(name, values);
    }
  }

  /** Without the gradient of x, which no parameter needs. Returns the loss before the step. */
  step(): number {
    const { heap } = this;
    const layers = [...heap.rows.keys()];
    for (const layer of layers) heap.at(layer).runPlanned('forward');
    const loss = heap.end.runLoss();
    for (const layer of layers.toReversed()) {
      const own = heap.at(layer);
      if (layer > 0) own.runPlanned('backward_data');
      if (!CONVOLUTIONS.includes(layer)) continue;
      own.runPlanned('backward_weights');
      own.runPlanned('backward_bias');
    }
    if (heap.module._conv2d_sgd_step(heap.session.handle, 0, this.#case.network.rate) !== 0)
      throw new Error('a gradient is missing');
    return loss;
  }

  changes(): Float32Array {
    const after = CONVOLUTIONS.flatMap((layer) => (['w', 'b'] as const).map((name) => this.heap.at(layer).copy(name)));
    return changesOf(this.#case, after);
  }
}

/** The step with the reference algorithms of all convolutions: naive loops with a double accumulator. */
export function referenceStep(module: MainModule, of: NetworkCase): NetworkStep {
  const trained = new TrainedNetwork(module, of, 'reference');
  try {
    return { loss: trained.step(), changes: trained.changes() };
  } finally {
    trained.heap.close();
  }
}

export function ourNetwork(module: MainModule, of: NetworkCase): Runner {
  const trained = new TrainedNetwork(module, of, '');
  return {
    kernel: () => void trained.step(),
    endToEnd: () => {
      trained.start();
      trained.step();
      return trained.changes();
    },
    probe: () => {
      trained.start();
      return trained.step();
    },
    dispose: () => trained.heap.close(),
  };
}
