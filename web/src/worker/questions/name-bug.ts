import { ConvFailure } from '../../engine/failure';
import { must } from '../../engine/session-heap';
import { checkCount, checkMember } from '../../engine/validate';
import type { Answerer } from '../answerer';
import { bugAt, mistakes, prepareMistakes } from '../mistakes';

export const answerer: Answerer<'name_bug'> = {
  fields: ['seed', 'letter', 'pass', 'id'],
  prepare: prepareMistakes,
  answer(context, { seed, letter, pass, id }) {
    const known = mistakes();
    const { module, session, entries } = known;
    const member = checkMember(module.Pass, pass, 'pass');
    const index = bugAt(checkCount(seed, 'seed'), checkCount(letter, 'letter'), entries.length);
    if (id !== null && !entries.some((entry) => entry.id === id)) {
      throw new ConvFailure('invalid_argument', 'id', `there is no bug ${id}`);
    }
    known.setProblem(context);
    const applied = module.apply(session, member, index);
    must(module, applied.status);
    const bug = known.at([index], pass)[0] ?? null;
    const equivalent = known.at(applied.equivalent, pass).filter((entry) => entry.id !== bug?.id);
    if (id === null || id === bug?.id) return { verdict: id === null ? 'revealed' : 'right', bug, equivalent };
    return { verdict: equivalent.some((entry) => entry.id === id) ? 'equivalent' : 'other', bug: null, equivalent: [] };
  },
};
