import { checkMember } from '../../engine/validate';
import type { ParameterName } from '../../protocol/problem';
import type { QuestionContext } from '../answerer';
import { chainOf } from '../chain';
import { mistakes } from '../mistakes';
import { copyOf, runAll } from '../own-session';

/** A check of the gradient of one parameter. */
export interface CheckOptions {
  readonly loss: string;
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

/** Checks the open layer with the loss behind several layers. */
export function chainChecks<Value>(
  context: QuestionContext,
  { loss, parameter, float64, target, indices }: CheckOptions,
  act: (once: CheckOnce) => Value,
): Value {
  const { heap, chain } = context;
  const known = mistakes();
  const { module } = known;
  const handle = module.open_chain_check();
  const write = (layer: number, name: keyof typeof module.ChainCheckSlot, values: Float32Array): void => {
    const slot = module.ChainCheckSlot[name];
    known.must(module.chain_reserve(handle, layer, slot, values.length));
    module.chain_view(handle, layer, slot).set(values);
  };
  try {
    known.must(module.chain_set_problem(handle, ...chainOf(module, chain)));
    write(0, 'x', heap.at(0).copy('x'));
    heap.rows.forEach(({ w_size, b_size }, i) => {
      if (w_size === 0) return;
      const b = heap.at(i).copy('b');
      write(i, 'w', heap.at(i).copy('w'));
      // Without a bias, checks db for a bias of zeros.
      const zeros = parameter === 'b' && i === heap.layer && b.length === 0;
      write(i, 'b', zeros ? new Float32Array(b_size) : b);
    });
    // The gradient of the linear loss is dy itself.
    write(0, 'target', target ?? heap.end.copy('dy'));
    write(0, 'gradient', gradientOf(context, loss, parameter, target));
    known.must(module.chain_reserve_check_cells(handle, indices.length));
    module.chain_check_cells(handle).set(indices);
    const options = {
      loss: checkMember(module.Loss, loss, 'loss'),
      layer: heap.layer,
      parameter: module.Parameter[parameter],
      float64,
    };
    return act((epsilon) => {
      const { status: _, ...summary } = known.must(module.chain_gradient_check(handle, { ...options, epsilon }));
      return { ...summary, table: module.chain_check_table(handle).slice() };
    });
  } finally {
    module.close_chain_check(handle);
  }
}

/** The gradient of a parameter of the open layer, as the kernels compute it with a loss and its target; null: with dy. */
function gradientOf(
  context: QuestionContext,
  loss: string,
  parameter: ParameterName,
  target: Float32Array | null,
): Float32Array {
  const { heap } = context;
  const name = `d${parameter}` as const;
  if (!target) return heap.copy(name);
  const copy = copyOf(context);
  try {
    copy.setLoss(loss);
    copy.end.write('target', target);
    runAll(copy);
    return copy.at(heap.layer).copy(name);
  } finally {
    copy.close();
  }
}
