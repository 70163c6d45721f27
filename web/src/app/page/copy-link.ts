import type { Address } from '../../link/address';
import { packLink } from '../../link/compress';
import type { Link } from '../../link/write-link';
import { toClipboard } from './clipboard';

/** Longest URLs, in characters, that nearly all and that most mail programs, chats and documents accept. */
export const URL_LIMITS = { everywhere: 2000, mostly: 8000 } as const;

export const fullUrl = (hash: string): string => new URL(`#${hash}`, location.href).href;

/** Follows "Link copied". */
export const lengthText = ({ length }: string): string =>
  length <= URL_LIMITS.everywhere ? '' : `: ${length.toLocaleString('en')} characters`;

/**
 * Copies the link to the current state and returns the message. A link that is long, incomplete or not copied needs the link dialog,
 * which `ask` opens. Rejects if a part of the page fails to load.
 */
export async function copyLink(address: Pick<Address, 'seen' | 'show'>, ask: () => void): Promise<string> {
  const making = packLink(address.seen());
  const isShort = (link: Link) => link.omitted.length === 0 && fullUrl(link.hash).length <= URL_LIMITS.mostly;
  const copying = toClipboard(
    making.then((link) => {
      if (!isShort(link)) throw new Error('the link dialog is needed first');
      return fullUrl(link.hash);
    }),
  );
  const link = await making;
  if (isShort(link)) await address.show(link);
  if (await copying) return `Link copied${lengthText(fullUrl(link.hash))}.`;
  ask();
  return '';
}
