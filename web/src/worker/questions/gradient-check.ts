import {
  checkFinite,
  checkFloats,
  checkIndices,
  checkLength,
  checkList,
  checkMember,
  refuse,
} from '../../engine/validate';
import type { ParameterName } from '../../protocol/problem';
import type { GradientCheckCells, GradientCheckRun } from '../../protocol/questions';
import { type Answerer, Progress, type QuestionContext } from '../answerer';
import { inputsOf, mistakes, prepareMistakes } from '../mistakes';
import { type CheckOnce, type CheckOptions, chainChecks } from './chain-check';

export const gradientCheck: Answerer<'gradient_check'> = {
  fields: ['parameter', 'loss', 'target', 'precision', 'epsilons', 'indices'],
  prepare: prepareMistakes,
  answer(context, question, onProgress) {
    const { heap } = context;
    const { Loss, Parameter } = mistakes().module;
    checkMember(Loss, question.loss, 'loss');
    checkMember(Parameter, question.parameter, 'parameter');
    if (question.precision !== 'float32' && question.precision !== 'float64') {
      refuse('precision', 'precision must be float32 or float64');
    }
    const float64 = question.precision === 'float64';
    let target: Float32Array | null = null;
    if (question.loss !== 'linear') {
      const y = heap.end.copy('y');
      target = question.target === 'near_y' ? nearTarget(y) : checkFloats(question.target, 'target');
      checkLength(target.length, y.length, 'target');
    }
    const indices = question.indices === 'all' ? new Int32Array() : checkIndices(question.indices, 'indices');
    if (question.indices !== 'all' && indices.length === 0) {
      refuse('indices', "indices is empty: give some cells, or 'all'");
    }
    checkList(question.epsilons, 'epsilons');
    const progress = new Progress(question.epsilons.length, onProgress);
    const runs = (once: CheckOnce) =>
      question.epsilons.map((epsilon, i) => {
        checkFinite(epsilon, `epsilons[${i}]`);
        return progress.part('gradient check', () => runOf(epsilon, once(epsilon)));
      });
    const options = { loss: question.loss, parameter: question.parameter, float64, target, indices };
    // The check of one layer computes again only what a cell changes.
    return { runs: heap.rows.length > 1 ? chainChecks(context, options, runs) : checks(context, options, runs) };
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

/** In the order of gradient_table.hpp, after the index. */
const COLUMNS = [
  ...(['loss_plus', 'loss_minus', 'analytic', 'numeric'] as const),
  ...(['absolute_error', 'relative_error', 'rounding', 'truncation', 'verdict'] as const),
];
type Column = (typeof COLUMNS)[number];

const columnsOf = (index: Int32Array, of: (name: Column, i: number) => Float64Array): GradientCheckCells => ({
  index,
  ...(Object.fromEntries(COLUMNS.map((name, i) => [name, of(name, i)])) as Record<Column, Float64Array>),
});

/** Checks the gradient that the session computed from its dy. Other losses have their own dy: the library computes theirs. */
function checks<Value>(
  context: QuestionContext,
  { loss, parameter, float64, target, indices }: CheckOptions,
  act: (once: CheckOnce) => Value,
): Value {
  const { heap, problem } = context;
  const known = mistakes();
  const { module, session } = known;
  known.setProblem(inputsOf(context));
  // Without a bias, checks db for a bias of zeros.
  if (parameter === 'b' && heap.length('b') === 0) known.write('b', new Float32Array(problem.geometry.k));
  if (target) known.write('target', target);
  known.write('gradient', loss === 'linear' ? heap.copy(`d${parameter}`) : new Float32Array());
  known.must(session.reserve_check_cells(indices.length));
  session.check_cells().set(indices);
  const options = { loss: checkMember(module.Loss, loss, 'loss'), parameter: module.Parameter[parameter], float64 };
  try {
    return act((epsilon) => {
      const { status: _, ...summary } = known.must(session.gradient_check({ ...options, epsilon }));
      return { ...summary, table: session.check_table().slice() };
    });
  } finally {
    for (const name of ['target', 'gradient'] as const) known.release(name);
  }
}

/** The linear loss is linear in every parameter, so any step works; a power of two rounds least. */
const STEP = 2 ** -4;

/** Measured slopes of sum(y * dy) in every cell of a parameter, in double precision. Sets the problem of the module “mistakes”. */
export function slopes(context: QuestionContext, parameter: ParameterName): Float64Array {
  const options = { loss: 'linear', parameter, float64: true, target: null, indices: new Int32Array() } as const;
  return checks(context, options, (once) => runOf(STEP, once(STEP))).cells.numeric;
}

/** y - target for the generated target, in turn: exact in float32 for usual values. */
const ERRORS = [0.5, -0.25, 0.75, -0.5];

function nearTarget(y: Float32Array): Float32Array {
  return y.map((value, i) => value - (ERRORS[i % ERRORS.length] ?? 0));
}

/** A run with the rows of its table as columns. The table of a network has seven more. */
function runOf(epsilon: number, { cells, table, ...summary }: ReturnType<CheckOnce>): GradientCheckRun {
  const row = (i: number): Float64Array => table.slice(i * cells, (i + 1) * cells);
  const columns = columnsOf(Int32Array.from(row(0)), (_, i) => row(i + 1));
  const next = COLUMNS.length + 1;
  if (table.length === next * cells) return { epsilon, ...summary, cells: columns };
  const indices = (i: number) => Int32Array.from(row(next + i));
  const bends = {
    ...{ layer: indices(0), cell: indices(1), at_value: indices(2) },
    ...{ winner_above: indices(3), winner_below: indices(4) },
    ...{ slope_above: row(next + 5), slope_below: row(next + 6) },
  };
  return { epsilon, ...summary, cells: { ...columns, bends } };
}
