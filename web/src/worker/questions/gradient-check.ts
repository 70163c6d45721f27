import { checkLength, refuse } from '../../engine/validate';
import { isPerPosition } from '../../losses/list';
import type { GradientCheckCells, GradientCheckRun } from '../../protocol/gradient-check';
import type { ParameterName } from '../../protocol/problem';
import { type Answerer, Progress, problemIn, type QuestionContext } from '../answerer';
import { chainOf } from '../chain';
import { oneHotTarget } from '../loss';
import { mistakes, prepareMistakes } from '../mistakes';

/** A check of the gradient of one parameter of the open layer. */
interface CheckOptions {
  readonly loss: string;
  readonly parameter: ParameterName;
  readonly float64: boolean;
  /** null: the linear loss, with the current dy. */
  readonly target: Float32Array | null;
  /** Cells of the parameter; empty: all. */
  readonly indices: Int32Array;
}

export const gradientCheck: Answerer<'gradient_check'> = {
  prepare: prepareMistakes,
  answer(context, question, onProgress) {
    const { heap } = context;
    const float64 = question.precision === 'float64';
    let target: Float32Array | null = null;
    if (question.loss !== 'linear') {
      const y = heap.end.copy('y');
      target =
        question.target === 'near_y' ? generated(question.loss, context, y) : (question.target ?? new Float32Array());
      checkLength(target.length, y.length, 'target');
    }
    const indices = question.indices === 'all' ? new Int32Array() : question.indices;
    if (question.indices !== 'all' && indices.length === 0) {
      refuse('indices', "indices is empty: give some cells, or 'all'");
    }
    const progress = new Progress(question.epsilons.length, onProgress);
    const options = { loss: question.loss, parameter: question.parameter, float64, target, indices };
    const runs = checks(context, options, (once) =>
      question.epsilons.map((epsilon) => progress.part('gradient check', () => once(epsilon))),
    );
    return { runs };
  },
  hide(_context, { parameter, loss, indices }, { runs }, masks) {
    const gradient = `d${parameter}` as const;
    // A gradient could be derived from two losses, or from an absolute and a relative error.
    const losses = masks.anyElsewhere || masks.any('y') || masks.any('dy');
    // A verdict depends on the largest cell of the gradient.
    const visible = !losses && !masks.any(gradient);
    // The gradient of a loss between y and a target is computed from y.
    const whole: Partial<Record<Column, boolean>> = { analytic: losses && loss !== 'linear', verdict: !visible };
    return {
      runs: runs.map(({ epsilon, cells, ...most }) => {
        const index = indices === 'all' ? cells.index : indices;
        const blanked = (values: Float64Array, all: boolean | undefined = losses) =>
          values.map((value, i) => (all || masks.hides(gradient, index[i] ?? -1) ? Number.NaN : value));
        return {
          epsilon,
          max_absolute_error: visible ? most.max_absolute_error : Number.NaN,
          max_relative_error: visible ? most.max_relative_error : Number.NaN,
          verdict: visible ? most.verdict : Number.NaN,
          cells: columnsOf(cells.index, (name) => blanked(cells[name], whole[name])),
        };
      }),
    };
  },
};

/** In the order of gradient_check_session.hpp, after the index. */
const COLUMNS = [
  ...(['loss_plus', 'loss_minus', 'analytic', 'numeric'] as const),
  ...(['absolute_error', 'relative_error', 'rounding', 'truncation', 'verdict'] as const),
];
type Column = (typeof COLUMNS)[number];

const columnsOf = (index: Int32Array, of: (name: Column, i: number) => Float64Array): GradientCheckCells => ({
  index,
  ...(Object.fromEntries(COLUMNS.map((name, i) => [name, of(name, i)])) as Record<Column, Float64Array>),
});

/** Checks through all layers from the open one to the loss. `once`: one step. */
function checks<Value>(
  context: QuestionContext,
  { loss, parameter, float64, target, indices }: CheckOptions,
  act: (once: (epsilon: number) => GradientCheckRun) => Value,
): Value {
  const { heap, chain } = context;
  const known = mistakes();
  const { module } = known;
  const handle = module.open_check();
  const write = (layer: number, name: keyof typeof module.CheckSlot, values: Float32Array): void => {
    const slot = module.CheckSlot[name];
    known.must(module.check_reserve(handle, layer, slot, values.length));
    module.check_view(handle, layer, slot).set(values);
  };
  try {
    known.must(module.check_set_problem(handle, ...chainOf(module, chain)));
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
    // With a target of its own, the library computes the gradient, in the precision of the check.
    write(0, 'gradient', target ? new Float32Array() : heap.copy(`d${parameter}`));
    known.must(module.check_reserve_cells(handle, indices.length));
    module.check_cells(handle).set(indices);
    const options = { loss, layer: heap.layer, parameter: module.Parameter[parameter], float64 };
    return act((epsilon) => {
      const { status: _, cells, ...summary } = known.must(module.gradient_check(handle, { ...options, epsilon }));
      return { epsilon, ...summary, cells: cellsOf(module.check_table(handle), cells) };
    });
  } finally {
    module.close_check(handle);
  }
}

/** The linear loss is linear in every parameter, so any step works; a power of two rounds least. */
const STEP = 2 ** -4;

/** Measured slopes of sum(y * dy) in every cell of a parameter, in double precision. */
export function slopes(context: QuestionContext, parameter: ParameterName): Float64Array {
  const options = { loss: 'linear', parameter, float64: true, target: null, indices: new Int32Array() } as const;
  return checks(context, options, (once) => once(STEP)).cells.numeric;
}

/** y - target for the generated target, in turn: exact in float32 for usual values. */
const ERRORS = [0.5, -0.25, 0.75, -0.5];

/** Near y; of a loss per position its own target, or classes in turn. */
function generated(loss: string, { heap }: QuestionContext, y: Float32Array): Float32Array {
  if (!isPerPosition(loss)) return nearTarget(y);
  const own = heap.at(0).copy('target');
  const target = own.length === y.length && heap.lossName === loss ? own : new Float32Array(y.length);
  if (target !== own) oneHotTarget(target, problemIn(heap.end).geometry, (position) => position);
  return target;
}

function nearTarget(y: Float32Array): Float32Array {
  return y.map((value, i) => value - (ERRORS[i % ERRORS.length] ?? 0));
}

/** The rows of a table as columns. */
function cellsOf(table: Float64Array, cells: number): GradientCheckCells {
  const row = (i: number): Float64Array => table.slice(i * cells, (i + 1) * cells);
  const indices = (i: number) => Int32Array.from(row(i));
  const next = COLUMNS.length + 1;
  return {
    ...columnsOf(indices(0), (_, i) => row(i + 1)),
    bends: {
      ...{ layer: indices(next), cell: indices(next + 1), at_value: indices(next + 2) },
      ...{ winner_above: indices(next + 3), winner_below: indices(next + 4) },
      ...{ slope_above: row(next + 5), slope_below: row(next + 6) },
    },
  };
}
