import { ConvFailure } from '../../engine/failure';
import type { SessionHeap } from '../../engine/session-heap';
import { checkFinite, checkFloats, checkIndices, checkLength, checkList, checkMember } from '../../engine/validate';
import type { ParameterName } from '../../protocol/problem';
import type { GradientCheckCells, GradientCheckRun } from '../../protocol/questions';
import { shapeSize } from '../../protocol/shapes';
import type { Answerer, Asked } from '../answerer';
import { Progress } from '../progress';

export const answerer: Answerer<'gradient_check'> = {
  fields: ['parameter', 'loss', 'target', 'precision', 'epsilons', 'indices'],
  answer({ module, heap, problem }, question, onProgress) {
    const loss = checkMember(module.Loss, question.loss, 'loss');
    const parameter = checkMember(module.Parameter, question.parameter, 'parameter');
    if (question.precision !== 'float32' && question.precision !== 'float64') {
      throw new ConvFailure('invalid_argument', 'precision', 'precision must be float32 or float64');
    }
    const float64 = question.precision === 'float64';
    let target: Float32Array | null = null;
    if (question.loss !== 'linear') {
      target = question.target === 'near_y' ? nearTarget(heap.copy('y')) : checkFloats(question.target, 'target');
      checkLength(target.length, shapeSize(problem.y_shape), 'target');
    }
    const indices = question.indices === 'all' ? new Int32Array() : checkIndices(question.indices, 'indices');
    if (question.indices !== 'all' && indices.length === 0) {
      throw new ConvFailure('invalid_argument', 'indices', "indices is empty: name some cells, or 'all'");
    }
    heap.writeIndices('a', indices);
    checkList(question.epsilons, 'epsilons');
    const progress = new Progress(question.epsilons.length, onProgress);
    // The target of the loss that dy comes from stays in force.
    const inForce = heap.copy('target');
    if (target) heap.write('target', target);
    try {
      const runs = question.epsilons.map((epsilon, i) => {
        checkFinite(epsilon, `epsilons[${i}]`);
        const options = { loss, parameter, float64, epsilon };
        return progress.part('gradient check', () =>
          nudging(heap, question.parameter, problem.geometry.k, () => checkOnce(heap, options)),
        );
      });
      return { runs };
    } finally {
      heap.write('target', inForce);
    }
  },
  hide(_asked, { parameter, indices }, { runs }, masks) {
    const gradient = GRADIENTS[parameter];
    // A loss is a sum of y, and two of them tell a gradient.
    const blanked = (values: Float64Array, cells: Int32Array, all: boolean) =>
      values.map((value, i) => (all || masks.hides(gradient, cells[i] ?? -1) ? Number.NaN : value));
    const losses = masks.any('y') || masks.any('dy');
    return {
      runs: runs.map((run) => {
        const { cells } = run;
        const index = indices === 'all' ? cells.index : indices;
        return {
          ...run,
          cells: {
            ...cells,
            loss_plus: blanked(cells.loss_plus, index, losses),
            loss_minus: blanked(cells.loss_minus, index, losses),
            analytic: blanked(cells.analytic, index, false),
            numeric: blanked(cells.numeric, index, false),
          },
        };
      }),
    };
  },
};

const GRADIENTS = { x: 'dx', w: 'dw', b: 'db' } as const;

/** Without a bias db is what one of zeros would get; then there must be one to nudge. */
function nudging<Value>(heap: SessionHeap, parameter: ParameterName, filters: number, act: () => Value): Value {
  const lendsBias = parameter === 'b' && heap.length('b') === 0;
  if (lendsBias) heap.write('b', new Float32Array(filters));
  try {
    return act();
  } finally {
    if (lendsBias) heap.release('b');
  }
}

/** The loss is a straight line in every parameter: any step does, and one of two to some power rounds least. */
const STEP = 2 ** -4;

/** The slope of sum(y * dy) in every cell of a parameter, in double precision. */
export function slopes({ module, heap, problem }: Asked, parameter: ParameterName): Float64Array {
  heap.writeIndices('a', new Int32Array());
  const options = {
    loss: module.Loss.linear,
    parameter: module.Parameter[parameter],
    float64: true,
    epsilon: STEP,
  };
  return nudging(heap, parameter, problem.geometry.k, () => checkOnce(heap, options)).cells.numeric;
}

/** What y misses the made-up target by, in turn: exact in float32 beside any value that a person would look at. */
const MISSES = [0.5, -0.25, 0.75, -0.5];

/** An input like any made-up one: nothing that is shown is computed here. */
function nearTarget(y: Float32Array): Float32Array {
  return y.map((value, i) => value - (MISSES[i % MISSES.length] ?? 0));
}

type CheckOptions = Parameters<SessionHeap['session']['gradient_check']>[0];

function checkOnce(heap: SessionHeap, options: CheckOptions): GradientCheckRun {
  const { status, cells, max_absolute_error, max_relative_error } = heap.session.gradient_check(options);
  heap.must(status);
  const table = heap.session.check_table();
  const row = (i: number): Float64Array => table.slice(i * cells, (i + 1) * cells);
  // The order of the rows is that of gradient_table.hpp.
  const columns: GradientCheckCells = {
    index: Int32Array.from(row(0)),
    loss_plus: row(1),
    loss_minus: row(2),
    analytic: row(3),
    numeric: row(4),
    absolute_error: row(5),
    relative_error: row(6),
  };
  return { epsilon: options.epsilon, cells: columns, max_absolute_error, max_relative_error };
}
