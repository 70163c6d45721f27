import { ConvFailure } from '../../engine/failure';
import { must } from '../../engine/session-heap';
import { checkCount, checkMember, checkText } from '../../engine/validate';
import { INPUTS } from '../../protocol/tensors';
import { writtenNumber } from '../../protocol/written';
import type { Answerer } from '../answerer';
import { mistakes, prepareMistakes } from '../mistakes';

const isInput = (pass: string): pass is (typeof INPUTS)[number] => INPUTS.some((name) => name === pass);

export const answerer: Answerer<'diagnose'> = {
  fields: ['pass', 'index', 'written'],
  prepare: prepareMistakes,
  answer(context, { pass, index, written }) {
    const known = mistakes();
    const cell = checkCount(index, 'index');
    const number = writtenNumber(checkText(written, 'written'));
    if (!number) throw new ConvFailure('invalid_argument', 'written', 'this is not a number');
    if (isInput(pass)) {
      const value = context.heap.copy(pass)[cell];
      if (value === undefined) throw new ConvFailure('invalid_argument', 'index', `${pass} has no cell ${cell}`);
      const { module, session } = known.setSingleValue(value);
      const checked = module.diagnose(session, module.Pass.forward, 0, number.value, number.precision);
      must(module, checked.status);
      return { verdict: checked.right ? 'right' : 'unknown', mistakes: [] };
    }
    const member = checkMember(known.module.Pass, pass, 'pass');
    const { module, session } = known.setProblem(context);
    const diagnosed = module.diagnose(session, member, cell, number.value, number.precision);
    must(module, diagnosed.status);
    if (diagnosed.right) return { verdict: 'right', mistakes: [] };
    const possible = known.at(diagnosed.explanations, pass);
    return { verdict: possible.length > 0 ? 'known' : 'unknown', mistakes: possible };
  },
  // The verdict on a hidden value is the purpose of this question. The value itself is never sent.
  hide: (_context, _question, answer) => answer,
};
