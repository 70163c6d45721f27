import { useCallback, useEffect, useState } from 'preact/hooks';

const SECONDS = 4;

/** A message that disappears after a few seconds, and a function to show one; an empty text hides it. */
export function useToast(): readonly [string | null, (message: string) => void] {
  const [message, setMessage] = useState<string | null>(null);
  useEffect(() => {
    if (message === null) return;
    const timer = setTimeout(() => setMessage(null), SECONDS * 1000);
    return () => clearTimeout(timer);
  }, [message]);
  return [message, useCallback((text: string) => setMessage(text || null), [])];
}

/** The live region is always in the page: screen readers skip one that is added together with its text. */
export function Toast({ message }: { readonly message: string | null }) {
  return <div role="status">{message !== null && <div class="toast">{message}</div>}</div>;
}
