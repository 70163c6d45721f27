import { must } from '../../engine/session-heap';
import { checkCount, checkMember } from '../../engine/validate';
import type { ParameterName, Pass } from '../../protocol/problem';
import type { BugCheck } from '../../protocol/questions';
import { shapeSize } from '../../protocol/shapes';
import type { Answerer, Asked } from '../answerer';
import { outputShape } from '../compute';
import { fetchMistakes, type Mistakes, mistakes } from '../mistakes';
import { placeOnShelf } from '../shelf';
import { slopes } from './gradient-check';

export const answerer: Answerer<'bug'> = {
  fields: ['seed', 'letter', 'pass'],
  prepare: fetchMistakes,
  answer(asked, { seed, letter, pass }) {
    const known = mistakes();
    const { module, session, entries } = known;
    const member = checkMember(module.Pass, pass, 'pass');
    const place = placeOnShelf(checkCount(seed, 'seed'), checkCount(letter, 'letter'), entries.length);
    known.take(asked);
    must(module, module.show(session, member, place).status);
    const shape = outputShape(asked.problem, pass);
    return {
      names: entries.map(({ id, title }) => ({ id, title })),
      wrong: known.read('wrong', shape),
      difference: known.read('difference', shape),
      check: checked(asked, known, pass),
    };
  },
};

const PARAMETERS: Readonly<Record<Pass, ParameterName | null>> = {
  forward: null,
  backward_data: 'x',
  backward_weights: 'w',
  backward_bias: 'b',
};

/** Nudged cells times cells of y above which checking all of them takes longer than a person waits. */
const MOST_WORK = 3e7;

/** The gradient that was shown last against measured slopes; null where there is none, or it would take too long. */
function checked(asked: Asked, known: Mistakes, pass: Pass): BugCheck | null {
  const parameter = PARAMETERS[pass];
  const cells = shapeSize(outputShape(asked.problem, pass));
  if (!parameter || cells * shapeSize(asked.problem.y_shape) > MOST_WORK) return null;
  const measured = slopes(asked, parameter);
  const { module, session } = known;
  known.write('measured', Float32Array.from(measured));
  const { status, failed, worst } = module.check(session);
  must(module, status);
  if (worst < 0) return { cells, failed, worst: null };
  const said = module.view(session, module.MistakeSlot.wrong)[worst] ?? Number.NaN;
  return { cells, failed, worst: { index: worst, measured: measured[worst] ?? Number.NaN, said } };
}
