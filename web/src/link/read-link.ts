import { DEFAULT_LOOK } from '../look/look';
import { loadSamples } from '../sources/pictures';
import { OPENING_CELL, openingProblem } from '../state/problem';
import type { Carried } from './field';
import type { ParsedLink } from './parse-link';

/**
 * What a link's hash (with or without "#") opens. Reading one is no part of the first download: an empty hash is the
 * opening problem at once, for any other the reader and what its problem needs are fetched. `anyway`: whatever it takes.
 * `carried`: what the link leaves out, if it is known.
 */
export async function readLink(hash: string, anyway = false, carried: Carried = {}): Promise<ParsedLink> {
  let link = hash.replace('#', '');
  if (link === '') return nothingSaid(null, []);
  try {
    const reader = await import('./parse-link');
    if (LESSON_ALONE.test(link)) link = (await import('../lessons/lessons')).stepLink(link);
    if (reader.needsSamples(link)) await loadSamples();
    return await reader.parseWhole(link, anyway, carried);
  } catch {
    return nothingSaid('unread', ['Nothing was opened: a part of the page that reads links could not be fetched.']);
  }
}

/** A lesson, or a step of one, and how it is shown: the problem is the step's. */
const LESSON_ALONE = /^((side|controls|lecture)=\w*&)*lesson=[\w.-]*(&(side|controls|lecture)=\w*)*$/;

const nothingSaid = (fault: ParsedLink['fault'], complaints: readonly string[]): ParsedLink => ({
  problem: openingProblem(),
  look: DEFAULT_LOOK,
  said: {},
  suggested: OPENING_CELL,
  fault,
  costs: null,
  complaints,
  missing: [],
  carried: {},
  packed: false,
});
