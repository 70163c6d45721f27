import type {
  GradientCheckCells,
  GradientCheckRequest,
  GradientCheckResult,
  GradientCheckRun,
} from '../protocol/follow-ups';
import { shapeSize } from '../protocol/shapes';
import type { MainModule } from '../wasm/load';
import type { Problem } from './details';
import { ConvFailure } from './failure';
import { type OnProgress, Progress } from './progress';
import type { SessionHeap } from './session-heap';
import { checkFields, checkFinite, checkFloats, checkIndices, checkLength, checkList, checkMember } from './validate';

const CHECK_FIELDS = ['type', 'revision', 'parameter', 'loss', 'target', 'precision', 'epsilons', 'indices'];

export function checkGradient(
  module: MainModule,
  heap: SessionHeap,
  problem: Problem,
  request: GradientCheckRequest,
  onProgress: OnProgress,
): GradientCheckResult {
  checkFields(request, CHECK_FIELDS, 'the request');
  const loss = checkMember(module.Loss, request.loss, 'loss');
  const parameter = checkMember(module.Parameter, request.parameter, 'parameter');
  if (request.precision !== 'float32' && request.precision !== 'float64') {
    throw new ConvFailure('invalid_argument', 'precision', 'precision must be float32 or float64');
  }
  const float64 = request.precision === 'float64';
  if (request.loss !== 'linear') {
    const target = request.target === 'near_y' ? nearTarget(heap.copy('y')) : checkFloats(request.target, 'target');
    checkLength(target.length, shapeSize(problem.y_shape), 'target');
    heap.write('target', target);
  }
  const indices = request.indices === 'all' ? new Int32Array() : checkIndices(request.indices, 'indices');
  if (request.indices !== 'all' && indices.length === 0) {
    throw new ConvFailure('invalid_argument', 'indices', "indices is empty: name some cells, or 'all'");
  }
  heap.writeIndices('a', indices);
  checkList(request.epsilons, 'epsilons');
  const progress = new Progress(request.epsilons.length, onProgress);
  // Without a bias db is what one of zeros would get; then there must be one to nudge.
  const lendsBias = request.parameter === 'b' && heap.length('b') === 0;
  if (lendsBias) heap.write('b', new Float32Array(problem.geometry.k));
  try {
    const runs = request.epsilons.map((epsilon, i) => {
      checkFinite(epsilon, `epsilons[${i}]`);
      return progress.part('gradient check', () => checkOnce(heap, { loss, parameter, float64, epsilon }));
    });
    return { type: 'gradient_check', runs };
  } finally {
    if (lendsBias) heap.release('b');
  }
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
