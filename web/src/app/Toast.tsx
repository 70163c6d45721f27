import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Link } from '../link/write-link';

const SECONDS = 4;

/** A message that goes by itself, and the way to say one. */
export function useToast(): readonly [string | null, (message: string) => void] {
  const [message, setMessage] = useState<string | null>(null);
  useEffect(() => {
    if (message === null) return;
    const timer = setTimeout(() => setMessage(null), SECONDS * 1000);
    return () => clearTimeout(timer);
  }, [message]);
  return [message, useCallback((text: string) => setMessage(text), [])];
}

/** The live region is always there: one that appears together with its text is not read out. */
export function Toast({ message }: { readonly message: string | null }) {
  return <div role="status">{message !== null && <div class="toast">{message}</div>}</div>;
}

/** Copies the link that `write` makes; the sentence says how that went. */
export async function copyLink(write: () => Promise<Link>): Promise<string> {
  const link = await write().catch(() => null);
  if (!link) return 'The link could not be made: a part of the page could not be fetched. Try again.';
  const { hash, omitted } = link;
  try {
    await navigator.clipboard.writeText(new URL(`#${hash}`, location.href).href);
  } catch {
    return 'The browser did not allow copying; the address bar has the link.';
  }
  return omitted.length === 0
    ? 'Link copied.'
    : `Link copied, without the numbers of ${omitted.join(', ')}: too many for a link.`;
}
