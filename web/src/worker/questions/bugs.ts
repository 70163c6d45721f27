import { refuse } from '../../engine/validate';
import { type ParameterName, type Pass, RESULT_OF } from '../../protocol/problem';
import type { BugAsk, BugCheck } from '../../protocol/questions';
import { shapeSize } from '../../protocol/shapes';
import type { Answerer, QuestionContext } from '../answerer';
import { bugAt, inputsOf, type Mistakes, mistakes, prepareMistakes } from '../mistakes';
import { slopes } from './gradient-check';

export const bug: Answerer<'bug'> = {
  prepare: prepareMistakes,
  answer(context, { seed, letter, pass }) {
    const { known } = applied(context, { seed, letter, pass });
    const shape = context.problem.shapes[RESULT_OF[pass]];
    return {
      names: known.bugs.map(({ id, title }) => ({ id, title })),
      wrong: known.read('wrong', shape),
      difference: known.read('difference', shape),
      check: gradientCheck(context, known, pass),
    };
  },
};

const PARAMETERS: Readonly<Record<Pass, ParameterName | null>> = {
  forward: null,
  backward_data: 'x',
  backward_weights: 'w',
  backward_bias: 'b',
};

/** Perturbed cells times cells of y. Above this the check takes too long. */
const MOST_WORK = 3e7;

/** Compares the bug's gradient with measured slopes; null for y, and if it would take too long. */
function gradientCheck(context: QuestionContext, known: Mistakes, pass: Pass): BugCheck | null {
  const parameter = PARAMETERS[pass];
  const cells = shapeSize(context.problem.shapes[RESULT_OF[pass]]);
  if (!parameter || cells * shapeSize(context.problem.shapes.y) > MOST_WORK) return null;
  const measured = slopes(context, parameter);
  known.write('measured', Float32Array.from(measured));
  const { failed, worst } = known.must(known.session.compare_gradient());
  if (worst < 0) return { cells, failed, worst: null };
  const wrong = known.view('wrong')[worst] ?? Number.NaN;
  return { cells, failed, worst: { index: worst, measured: measured[worst] ?? Number.NaN, wrong } };
}

export const nameBug: Answerer<'name_bug'> = {
  prepare: prepareMistakes,
  answer(context, { seed, letter, pass, id }) {
    const { known, index, same } = applied(context, { seed, letter, pass });
    if (id !== null && !known.bugs.some((entry) => entry.id === id)) refuse('id', `there is no bug ${id}`);
    const bug = known.at([index], pass)[0] ?? null;
    const equivalent = known.at(same, pass).filter((entry) => entry.id !== bug?.id);
    if (id === null || id === bug?.id) return { verdict: id === null ? 'revealed' : 'right', bug, equivalent };
    return { verdict: equivalent.some((entry) => entry.id === id) ? 'equivalent' : 'other', bug: null, equivalent: [] };
  },
};

/** Computes the result with a bug. `same`: the bugs with the same values. */
function applied(context: QuestionContext, { seed, letter, pass }: BugAsk) {
  const known = mistakes();
  const index = bugAt(seed, letter, known.bugs.length);
  known.setProblem(inputsOf(context));
  const { equivalent } = known.must(known.session.apply(known.module.Pass[pass], index));
  return { known, index, same: equivalent };
}
