import type { Link } from '../link/write-link';

/** Copies the link that `write` makes, where that can be fetched; the sentence says how copying went. */
export async function copyLink(write: () => Promise<Link>): Promise<string> {
  const { hash, omitted } = await write();
  try {
    await navigator.clipboard.writeText(new URL(`#${hash}`, location.href).href);
  } catch {
    return 'The browser did not allow copying; the address bar has the link.';
  }
  return omitted.length === 0
    ? 'Link copied.'
    : `Link copied, without the numbers of ${omitted.join(', ')}: too many for a link.`;
}
