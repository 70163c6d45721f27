import { useCallback, useEffect, useState } from 'preact/hooks';

const SECONDS = 4;

/** A message that goes by itself, and the way to say one; an empty one takes it away. */
export function useToast(): readonly [string | null, (message: string) => void] {
  const [message, setMessage] = useState<string | null>(null);
  useEffect(() => {
    if (message === null) return;
    const timer = setTimeout(() => setMessage(null), SECONDS * 1000);
    return () => clearTimeout(timer);
  }, [message]);
  return [message, useCallback((text: string) => setMessage(text || null), [])];
}

/** The live region is always there: one that appears together with its text is not read out. */
export function Toast({ message }: { readonly message: string | null }) {
  return <div role="status">{message !== null && <div class="toast">{message}</div>}</div>;
}
