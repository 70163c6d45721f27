import { isDamagedFile } from '../loading/damaged-file';
import { loadSamples } from '../sources/tensor-sources';
import { type KnownInputs, openingLink, type ParsedLink } from './field';

/**
 * Reads the hash of a link (with or without "#"). The reader is not part of the first download: an empty hash gives the
 * opening problem at once, any other hash loads the reader. `anyway`: without a limit on the cost. `carried`: values
 * that the link leaves out, if known.
 */
export async function readLink(hash: string, anyway = false, knownInputs: KnownInputs = {}): Promise<ParsedLink> {
  let link = hash.replace('#', '');
  if (link === '') return openingLink(null, []);
  try {
    const reader = await import('./parse-link');
    if (LESSON_ALONE.test(link)) link = (await import('../lessons/lessons')).stepLink(link);
    if (reader.needsSamples(link)) await loadSamples();
    return await reader.parseCompressed(link, anyway, knownInputs);
  } catch (cause) {
    const mend = isDamagedFile(cause) ? 'Try again, or reload the page.' : 'Try again.';
    return openingLink('unread', [`The link was not opened: the link reader failed to load. ${mend}`]);
  }
}

/** A link with a lesson (or a step), a seed and display options only: the problem is that of the step. */
const LESSON_ALONE = /^((side|controls|lecture|seed)=[\w.]*&)*lesson=[\w.-]*(&(side|controls|lecture|seed)=[\w.]*)*$/;
