import { packLink } from '../../link/compress';
import type { LinkContent } from '../../link/field';
import { MOST_BESIDE } from '../../link/field';
import { readLink } from '../../link/read-link';
import { encoded } from '../../link/text';
import type { Hidden } from '../../protocol/cell';
import type { Problem } from '../../state/problem';

/** The second problem of a comparison, read from its link. */
export interface OtherProblem {
  readonly problem: Problem;
  readonly masked: readonly Hidden[];
}

export type OtherLink = { readonly link: string } | { readonly complaint: string };

/** View fields that follow the page's own view, or belong to the page around it. */
const NOT_ITS_OWN = /^(v|mode|cell|slice|side|lesson|answers|lecture|race|times|with|controls)=/;

export const stripped = (hash: string): string =>
  hash
    .split('&')
    .filter((part) => !NOT_ITS_OWN.test(part))
    .join('&');

/** The link of a state, for a comparison. */
export async function comparisonLinkOf(state: LinkContent): Promise<OtherLink> {
  const { hash, omitted } = await packLink(state);
  const link = stripped(hash);
  if (omitted.length > 0) return { complaint: `There are too many values in ${omitted.join(', ')} for a link.` };
  if (encoded(link).length > MOST_BESIDE) {
    const [has, most] = [encoded(link).length, MOST_BESIDE].map((count) => count.toLocaleString('en'));
    return { complaint: `The link has ${has} characters. A comparison allows at most ${most}.` };
  }
  return { link };
}

/** Reads a pasted address, or the part after its "#", like any other link. */
export async function pastedLink(text: string): Promise<OtherLink> {
  const hash = text.trim().replace(/^[^#]*#/, '');
  if (hash === '') return { complaint: 'This is not a link of this page: it has nothing after "#".' };
  const parsed = await readLink(hash);
  if (parsed.fault === 'costly') {
    return { complaint: 'This problem is too large to compare. Open it on its own.' };
  }
  const [complaint] = parsed.complaints;
  if (complaint !== undefined) return { complaint };
  if (parsed.missing.length > 0) return { complaint: 'The link refers to values that it does not contain.' };
  return comparisonLinkOf(parsed);
}

/** Null if the link does not open. */
export async function readOther(link: string): Promise<OtherProblem | null> {
  const { problem, look, fault } = await readLink(link);
  return fault ? null : { problem, masked: look.masked };
}
