import { loadSamples } from './generate';
import type { ParsedLink } from './parse-link';
import { defaultProblem } from './problem';

/**
 * What a link's hash (with or without "#") opens. Reading one is no part of the first download: an empty hash is the
 * default problem at once, for any other the reader and what its problem needs are fetched.
 */
export async function readLink(hash: string): Promise<ParsedLink> {
  if (hash.replace('#', '') === '') return { problem: defaultProblem(), complaints: [] };
  try {
    const [{ parseLink }] = await Promise.all([
      import('./parse-link'),
      hash.includes('sample:') ? loadSamples() : undefined,
    ]);
    return parseLink(hash);
  } catch (cause) {
    const complaint = `The link could not be opened (${cause}); the default problem is shown instead.`;
    return { problem: defaultProblem(), complaints: [complaint] };
  }
}
