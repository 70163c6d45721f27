import { ConvFailure } from '../../engine/failure';
import { must } from '../../engine/session-heap';
import { checkFloats, checkLength, checkMember } from '../../engine/validate';
import type { Pass } from '../../protocol/problem';
import { shapeSize } from '../../protocol/shapes';
import { RESULT_OF } from '../../protocol/tensors';
import { textOf } from '../../wasm/module';
import { type Answerer, Progress } from '../answerer';
import { outputShape } from '../compute';
import { type Mistakes, mistakes, prepareMistakes, writeMagnitudes } from '../mistakes';

/** Has no `hide`: the differences would reveal hidden values. */
export const answerer: Answerer<'compare_result'> = {
  fields: ['pass', 'user_result'],
  prepare: prepareMistakes,
  answer(context, { pass, user_result }, onProgress) {
    const known = mistakes();
    const { module, session } = known;
    const member = checkMember(module.Pass, pass, 'pass');
    const shape = outputShape(context.problem, pass);
    checkLength(checkFloats(user_result, 'user_result').length, shapeSize(shape), 'user_result');
    const expected = context.heap.copy(RESULT_OF[pass]);
    if (expected.length !== shapeSize(shape)) {
      throw new ConvFailure('unsupported', 'pass', `${RESULT_OF[pass]} has not been computed`);
    }
    new Progress(1, onProgress).part(pass, (step) => writeMagnitudes(context, known, pass, step));
    known.write('user_result', user_result);
    known.write('expected', expected);
    try {
      const { status, worst, factor, within } = module.compare(session);
      must(module, status);
      const agrees = within.at(-1) === user_result.length;
      return {
        difference: known.read('difference', shape),
        user_stats: known.stats('user_result'),
        worst: worst < 0 ? null : worst,
        agreements: module.tolerances().map((how, at) => ({ how: textOf(how), cells: within[at] ?? 0 })),
        factor: factor === 0 ? null : factor,
        mistakes: agrees ? null : mistakesFor(known.setProblem(context), member, pass),
      };
    } finally {
      for (const name of ['user_result', 'expected', 'magnitudes', 'difference'] as const) known.release(name);
    }
  },
};

type PassMember = Parameters<Mistakes['module']['explain']>[1];

/** The mistakes that give the result; null if the problem is too large to look for them. */
function mistakesFor(known: Mistakes, member: PassMember, pass: Pass) {
  const { module, session } = known;
  const { status, mistakes: indices } = module.explain(session, member);
  if (status.code === module.ErrorCode.unsupported) return null;
  must(module, status);
  return known.at(indices, pass);
}
