import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** When `what` changes and the focused element is gone, focuses the element that `find` returns. */
export function useRestoreFocus(what: unknown, find: () => HTMLElement | null | undefined): void {
  const last = useRef(what);
  useLayoutEffect(() => {
    if (last.current !== what && document.activeElement === document.body) find()?.focus({ preventScroll: true });
    last.current = what;
  });
}

/** Time in ms. Shorter work ends before a progress bar could be read. */
const DELAY_MS = 200;

/** True once `busy` has lasted 200 ms. */
export function useLongRunning(busy: boolean): boolean {
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!busy) {
      setLong(false);
      return;
    }
    const timer = setTimeout(() => setLong(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [busy]);
  return busy && long;
}
