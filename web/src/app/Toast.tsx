import { useCallback, useEffect, useState } from 'preact/hooks';

const SECONDS = 4;

/** Another object for each message: an equal text is shown and announced again. */
interface Message {
  readonly text: string;
}

/** A message that disappears after a few seconds, and a function to show one; an empty text hides it. */
export function useToast(): readonly [Message | null, (text: string) => void] {
  const [message, setMessage] = useState<Message | null>(null);
  useEffect(() => {
    if (message === null) return;
    const timer = setTimeout(() => setMessage(null), SECONDS * 1000);
    return () => clearTimeout(timer);
  }, [message]);
  return [message, useCallback((text: string) => setMessage(text ? { text } : null), [])];
}

/** The live region is always in the page: screen readers skip one that is added together with its text. */
export const Toast = ({ message }: { readonly message: Message | null }) => (
  <div role="status">
    {message && (
      <div key={message} class="toast">
        {message.text}
      </div>
    )}
  </div>
);
