import { DEFAULT_LOOK } from '../look/look';
import { loadSamples } from '../sources/pictures';
import { OPENING_CELL, openingProblem } from '../state/problem';
import type { ParsedLink } from './parse-link';

/**
 * What a link's hash (with or without "#") opens. Reading one is no part of the first download: an empty hash is the
 * opening problem at once, for any other the reader and what its problem needs are fetched.
 */
export async function readLink(hash: string): Promise<ParsedLink> {
  if (hash.replace('#', '') === '') return nothingSaid([]);
  try {
    const { parseLink, needsSamples } = await import('./parse-link');
    if (needsSamples(hash)) await loadSamples();
    return parseLink(hash);
  } catch (cause) {
    return nothingSaid([`The link could not be opened (${cause}); the opening problem is shown instead.`]);
  }
}

const nothingSaid = (complaints: readonly string[]): ParsedLink => ({
  problem: openingProblem(),
  look: DEFAULT_LOOK,
  said: {},
  suggested: OPENING_CELL,
  complaints,
  missing: [],
});
