import type { LossName, ParameterName } from '../../protocol/problem';
import { chainOf } from '../chain';
import type { ChainAnswers } from '../chain-answers';
import { mistakes } from '../mistakes';

/** A check of the gradient of one parameter. */
export interface CheckOptions {
  readonly loss: LossName;
  readonly parameter: ParameterName;
  readonly float64: boolean;
  /** null: the linear loss, with the current dy. */
  readonly target: Float32Array | null;
  /** Cells of the parameter; empty: all. */
  readonly indices: Int32Array;
}

/** One step of a check: the summary and the table of the library, a row for each column of `cells` entries. */
export type CheckOnce = (epsilon: number) => {
  readonly cells: number;
  readonly verdict: number;
  readonly max_absolute_error: number;
  readonly max_relative_error: number;
  readonly table: Float64Array;
};

/** Checks the open layer of a network with the loss at its end. */
export function chainChecks<Value>(
  network: ChainAnswers,
  { loss, parameter, float64, target, indices }: CheckOptions,
  act: (once: CheckOnce) => Value,
): Value {
  const { heap, net } = network;
  const known = mistakes();
  const { module } = known;
  const handle = module.open_chain_check();
  const write = (layer: number, name: keyof typeof module.ChainCheckSlot, values: Float32Array): void => {
    const slot = module.ChainCheckSlot[name];
    known.must(module.chain_reserve(handle, layer, slot, values.length));
    module.chain_view(handle, layer, slot).set(values);
  };
  try {
    const { input, layers } = chainOf(module, net);
    known.must(module.chain_set_problem(handle, input, layers));
    write(0, 'x', heap.at(0).copy('x'));
    heap.rows.forEach(({ w_size, b_size }, i) => {
      if (w_size === 0) return;
      const b = heap.at(i).copy('b');
      write(i, 'w', heap.at(i).copy('w'));
      // Without a bias, checks db for a bias of zeros.
      const zeros = parameter === 'b' && i === net.open && b.length === 0;
      write(i, 'b', zeros ? new Float32Array(b_size) : b);
    });
    // The gradient of the linear loss is dy itself.
    write(0, 'target', target ?? heap.end.copy('dy'));
    write(0, 'gradient', network.gradient(loss, parameter, target));
    known.must(module.chain_reserve_check_cells(handle, indices.length));
    module.chain_check_cells(handle).set(indices);
    const options = { loss: module.Loss[loss], layer: net.open, parameter: module.Parameter[parameter], float64 };
    return act((epsilon) => {
      const { status: _, ...summary } = known.must(module.chain_gradient_check(handle, { ...options, epsilon }));
      return { ...summary, table: module.chain_check_table(handle).slice() };
    });
  } finally {
    module.close_chain_check(handle);
  }
}
