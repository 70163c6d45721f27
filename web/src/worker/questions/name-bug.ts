import { ConvFailure } from '../../engine/failure';
import { must } from '../../engine/session-heap';
import { checkCount, checkMember } from '../../engine/validate';
import type { Answerer } from '../answerer';
import { fetchMistakes, mistakes } from '../mistakes';
import { placeOnShelf } from '../shelf';

export const answerer: Answerer<'name_bug'> = {
  fields: ['seed', 'letter', 'pass', 'id'],
  prepare: fetchMistakes,
  answer(asked, { seed, letter, pass, id }) {
    const known = mistakes();
    const { module, session, entries } = known;
    const member = checkMember(module.Pass, pass, 'pass');
    const place = placeOnShelf(checkCount(seed, 'seed'), checkCount(letter, 'letter'), entries.length);
    if (id !== null && !entries.some((entry) => entry.id === id)) {
      throw new ConvFailure('invalid_argument', 'id', 'there is no bug of this name');
    }
    known.take(asked);
    const shown = module.show(session, member, place);
    must(module, shown.status);
    const bug = entries[place] ?? null;
    const alike = known.at(shown.alike).filter((entry) => entry !== bug);
    if (id === null || id === bug?.id) return { verdict: id === null ? 'told' : 'right', bug, alike };
    return { verdict: alike.some((entry) => entry.id === id) ? 'alike' : 'other', bug: null, alike: [] };
  },
};
