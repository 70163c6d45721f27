import type { CheckOnce, CheckOptions, NetworkAnswers } from './answerer';
import type { Chain } from './chain';

/** Answers questions about a network with the chain that computed it. */
export class ChainAnswers implements NetworkAnswers {
  readonly #chain: Chain;
  readonly #open: number;
  /** Computes the network again: the chain may have another one by now. */
  readonly #run: () => void;

  /** `open`: index of the open layer. */
  constructor(chain: Chain, open: number, run: () => void) {
    this.#chain = chain;
    this.#open = open;
    this.#run = run;
  }

  output(): Float32Array {
    this.#run();
    return this.#chain.view(this.#last, 'y').slice();
  }

  checks<Value>({ loss, parameter, float64, target, indices }: CheckOptions, act: (once: CheckOnce) => Value): Value {
    const chain = this.#chain;
    const { module, handle } = chain;
    const layer = this.#open;
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

  get #last(): number {
    return this.#chain.rows.length - 1;
  }
}
