import type { Address } from '../link/address';
import { packLink } from '../link/pack-link';
import type { Link } from '../link/write-link';

/** Characters of an address that mail programs, chats and documents carry nearly everywhere, and in most places. */
export const CARRIED = { everywhere: 2000, mostly: 8000 } as const;

export const addressOf = (hash: string): string => new URL(`#${hash}`, location.href).href;

/** Copies the link of what is seen, or has `ask` ask first where it is long or leaves something out; the sentence says how it went. */
export async function copyLink(address: Pick<Address, 'seen' | 'show'>, ask: () => void): Promise<string> {
  const link = await packLink(address.seen());
  if (link.omitted.length === 0 && addressOf(link.hash).length <= CARRIED.mostly) return copied(link, address);
  ask();
  return '';
}

export async function copied(link: Link, address: Pick<Address, 'show'>): Promise<string> {
  const text = addressOf(link.hash);
  // A refusal that came while nobody waited for it would be an error that nobody caught.
  const wrote = navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  await address.show(link);
  if (!(await wrote)) return 'The browser did not allow copying; the address bar has the link.';
  return text.length <= CARRIED.everywhere
    ? 'Link copied.'
    : `Link copied: ${text.length.toLocaleString('en')} characters.`;
}
