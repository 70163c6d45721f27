import type { Linked } from '../../link/field';
import { packLink } from '../../link/pack-link';
import { readLink } from '../../link/read-link';
import { encoded } from '../../link/text';
import type { Hidden } from '../../protocol/cell';
import { MOST_BESIDE } from '../../protocol/limits';
import type { Problem } from '../../state/problem';

/** The problem beside the page's own, as the link that carries it says. */
export interface Other {
  readonly problem: Problem;
  readonly masked: readonly Hidden[];
}

export type OtherLink = { readonly link: string } | { readonly complaint: string };

/** Of how one looks, what the page's own stage decides, or what stands in the page around it. */
const NOT_ITS_OWN = /^(v|mode|cell|slice|side|lesson|answers|lecture|race|times|with|controls)=/;

export const stripped = (hash: string): string =>
  hash
    .split('&')
    .filter((part) => !NOT_ITS_OWN.test(part))
    .join('&');

/** A state as the link that stands beside another. */
export async function linkOf(state: Linked): Promise<OtherLink> {
  const { hash, omitted } = await packLink(state);
  const link = stripped(hash);
  if (omitted.length > 0) return { complaint: `The numbers of ${omitted.join(', ')} are too many for a link.` };
  if (encoded(link).length > MOST_BESIDE) {
    const [has, most] = [encoded(link).length, MOST_BESIDE].map((count) => count.toLocaleString('en'));
    return { complaint: `As a link it has ${has} characters; at most ${most} can stand beside another problem.` };
  }
  return { link };
}

/** What somebody pasted, an address or what stands behind its "#", read as every link is. */
export async function pastedLink(text: string): Promise<OtherLink> {
  const hash = text.trim().replace(/^[^#]*#/, '');
  if (hash === '') return { complaint: 'This is no link of this page: nothing stands behind a "#" in it.' };
  const parsed = await readLink(hash);
  if (parsed.fault === 'costly') {
    return { complaint: 'It takes more to compute than is computed beside another problem. Open it alone.' };
  }
  const [complaint] = parsed.complaints;
  if (complaint !== undefined) return { complaint };
  if (parsed.missing.length > 0) return { complaint: 'It names numbers that it does not carry.' };
  return linkOf(parsed);
}

/** Null: it opens nothing. */
export async function readOther(link: string): Promise<Other | null> {
  const { problem, look, fault } = await readLink(link);
  return fault ? null : { problem, masked: look.masked };
}
