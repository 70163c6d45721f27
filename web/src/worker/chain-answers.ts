import { ConvFailure } from '../engine/failure';
import type { SessionHeap } from '../engine/session-heap';
import { plainGeometry } from '../engine/validate';
import type { PlaneSizes } from '../protocol/network';
import type { InputName, TensorName } from '../protocol/problem';
import type { CheckOnce, CheckOptions, LayerInputs, LearnSettings, NetworkAnswers } from './answerer';
import { Chain, excludesPadding, type Layer } from './chain';
import { NetworkDescent } from './network-descent';

/** A network as it is set in a chain. */
export interface ChainProblem {
  /** Index of the open layer. */
  readonly open: number;
  readonly layers: readonly Layer[];
  readonly input: PlaneSizes;
  readonly x: Float32Array;
  /** Of the loss; null: 0 everywhere, or no loss. */
  readonly target: Float32Array | null;
}

/** Answers questions about a network with the chain that computed it. */
export class ChainAnswers implements NetworkAnswers {
  readonly #chain: Chain;
  readonly #of: ChainProblem;
  /** Computes the network again: the chain may have another one by now. */
  readonly #run: () => void;

  /** For tensors of any layer. */
  readonly #heap: SessionHeap;

  constructor(chain: Chain, of: ChainProblem, run: () => void, heap: SessionHeap) {
    this.#chain = chain;
    this.#of = of;
    this.#run = run;
    this.#heap = heap;
  }

  factors(layer: number, names: readonly TensorName[]): SessionHeap {
    this.#run();
    const chain = this.#chain;
    if ((chain.rows[layer]?.w_size ?? 0) === 0) {
      throw new ConvFailure('invalid_argument', 'layer', `layer ${layer} is no convolution`);
    }
    for (const name of names) {
      if (name !== 'x' && name !== 'w' && name !== 'dy') {
        throw new ConvFailure('invalid_argument', 'a', 'cells of x, w and dy are multiplied');
      }
      const values = name === 'x' && layer > 0 ? chain.view(layer - 1, 'y') : chain.view(layer, name);
      // A copy: writing may move the memory.
      this.#heap.write(name, values.slice());
    }
    return this.#heap;
  }

  inputs(layer: number): LayerInputs {
    this.#run();
    const chain = this.#chain;
    const [own, row] = [this.#of.layers[layer], chain.rows[layer]];
    if (!own || !row) throw new ConvFailure('invalid_argument', 'layer', `there is no layer ${layer}`);
    const geometry = plainGeometry(chain.module, row.geometry);
    const view = (name: InputName) =>
      name === 'x' && layer > 0 ? chain.view(layer - 1, 'y') : chain.view(layer, name);
    return { kind: own.kind, geometry, countsPadding: !excludesPadding(own), values: (name) => view(name).slice() };
  }

  output(): Float32Array {
    this.#run();
    return this.#chain.view(this.#last, 'y').slice();
  }

  checks<Value>({ loss, parameter, float64, target, indices }: CheckOptions, act: (once: CheckOnce) => Value): Value {
    const chain = this.#chain;
    const { module, handle } = chain;
    const layer = this.#of.open;
    this.#run();
    // The gradient of the linear loss is dy itself.
    const other = target ?? chain.view(this.#last, 'dy').slice();
    chain.write(0, 'target', other, other.length);
    // Without a bias, checks db for a bias of zeros.
    const filters = chain.rows[layer]?.b_size ?? 0;
    if (parameter === 'b' && chain.view(layer, 'b').length === 0) {
      chain.write(layer, 'b', new Float32Array(filters), filters);
    }
    chain.forward();
    chain.lossDy(loss);
    chain.backward();
    chain.must(module.chain_reserve_check_cells(handle, indices.length));
    module.chain_check_cells(handle).set(indices);
    const options = { loss: module.Loss[loss], layer, parameter: module.Parameter[parameter], float64 };
    return act((epsilon) => {
      const { status, ...summary } = module.chain_gradient_check(handle, { ...options, epsilon });
      chain.must(status);
      return { ...summary, table: module.chain_check_table(handle).slice() };
    });
  }

  descent(settings: LearnSettings): NetworkDescent {
    const { layers, input, x, target, open } = this.#of;
    const chain = new Chain(this.#chain.module);
    try {
      chain.set(layers, input, x);
      return new NetworkDescent(chain, open, target, settings);
    } catch (thrown) {
      chain.dispose();
      throw thrown;
    }
  }

  get #last(): number {
    return this.#chain.rows.length - 1;
  }
}
