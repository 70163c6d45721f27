import type { Address } from '../link/address';
import { packLink } from '../link/pack-link';
import type { Link } from '../link/write-link';

/** Longest URLs, in characters, that nearly all and that most mail programs, chats and documents accept. */
export const URL_LIMITS = { everywhere: 2000, mostly: 8000 } as const;

export const fullUrl = (hash: string): string => new URL(`#${hash}`, location.href).href;

/** Follows "Link copied". */
export const lengthText = ({ length }: string): string =>
  length <= URL_LIMITS.everywhere ? '' : `: ${length.toLocaleString('en')} characters`;

/** The link to the current state; null if it is long or incomplete, which the link dialog then explains. */
export async function linkToCopy(address: Pick<Address, 'seen'>): Promise<Link | null> {
  const link = await packLink(address.seen());
  return link.omitted.length === 0 && fullUrl(link.hash).length <= URL_LIMITS.mostly ? link : null;
}

/** The text to copy; throws if the link dialog is needed first. */
export function urlOf(link: Link | null): string {
  if (!link) throw new Error('the link dialog is needed first');
  return fullUrl(link.hash);
}

/** The message after copying; calls `ask` if the link dialog is needed. */
export async function afterCopying(
  link: Link | null,
  copying: Promise<boolean>,
  address: Pick<Address, 'show'>,
  ask: () => void,
): Promise<string> {
  if (link) await address.show(link);
  if (link && (await copying)) return `Link copied${lengthText(fullUrl(link.hash))}.`;
  ask();
  return '';
}
