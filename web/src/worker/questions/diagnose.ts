import { ConvFailure } from '../../engine/failure';
import { must } from '../../engine/session-heap';
import { checkCount, checkMember, checkText } from '../../engine/validate';
import { writtenNumber } from '../../protocol/written';
import type { Answerer } from '../answerer';
import { fetchMistakes, mistakes } from '../mistakes';

const INPUTS = ['x', 'w', 'b', 'dy'] as const;
const isInput = (pass: string): pass is (typeof INPUTS)[number] => INPUTS.some((name) => name === pass);

export const answerer: Answerer<'diagnose'> = {
  fields: ['pass', 'index', 'written'],
  prepare: fetchMistakes,
  answer(asked, { pass, index, written }) {
    const known = mistakes();
    const cell = checkCount(index, 'index');
    const number = writtenNumber(checkText(written, 'written'));
    if (!number) throw new ConvFailure('invalid_argument', 'written', 'that is not a number');
    if (isInput(pass)) {
      const value = asked.heap.copy(pass)[cell];
      if (value === undefined) throw new ConvFailure('invalid_argument', 'index', `${pass} has no cell ${cell}`);
      const { module, session } = known.takeAlone(value);
      const judged = module.diagnose(session, module.Pass.forward, 0, number.value, number.precision);
      must(module, judged.status);
      return { verdict: judged.right ? 'right' : 'unknown', mistakes: [] };
    }
    const member = checkMember(known.module.Pass, pass, 'pass');
    const { module, session } = known.take(asked);
    const diagnosed = module.diagnose(session, member, cell, number.value, number.precision);
    must(module, diagnosed.status);
    if (diagnosed.right) return { verdict: 'right', mistakes: [] };
    const possible = known.at(diagnosed.explanations);
    return { verdict: possible.length > 0 ? 'known' : 'unknown', mistakes: possible };
  },
  // What it is for: it says of a number whether it is the hidden one, and never the number.
  hide: (_asked, _question, answer) => answer,
};
