import { must } from '../../engine/session-heap';
import { checkCount, checkMember } from '../../engine/validate';
import type { ParameterName, Pass } from '../../protocol/problem';
import type { BugCheck } from '../../protocol/questions';
import { shapeSize } from '../../protocol/shapes';
import type { Answerer, QuestionContext } from '../answerer';
import { outputShape } from '../compute';
import { bugAt, type Mistakes, mistakes, prepareMistakes } from '../mistakes';
import { slopes } from './gradient-check';

export const answerer: Answerer<'bug'> = {
  fields: ['seed', 'letter', 'pass'],
  prepare: prepareMistakes,
  answer(context, { seed, letter, pass }) {
    const known = mistakes();
    const { module, session, entries } = known;
    const member = checkMember(module.Pass, pass, 'pass');
    const index = bugAt(checkCount(seed, 'seed'), checkCount(letter, 'letter'), entries.length);
    known.setProblem(context);
    must(module, module.apply(session, member, index).status);
    const shape = outputShape(context.problem, pass);
    return {
      names: entries.map(({ id, title }) => ({ id, title })),
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
  const cells = shapeSize(outputShape(context.problem, pass));
  if (!parameter || cells * shapeSize(context.problem.y_shape) > MOST_WORK) return null;
  const measured = slopes(context, parameter);
  const { module, session } = known;
  known.write('measured', Float32Array.from(measured));
  const { status, failed, worst } = module.compare_gradient(session);
  must(module, status);
  if (worst < 0) return { cells, failed, worst: null };
  const wrong = module.view(session, module.MistakeSlot.wrong)[worst] ?? Number.NaN;
  return { cells, failed, worst: { index: worst, measured: measured[worst] ?? Number.NaN, wrong } };
}
