import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { BREAKPOINTS } from '../../ui/breakpoints';

/** When `what` changes and the focused element is gone, focuses the element that `find` returns. */
export function useRestoreFocus(what: unknown, find: () => HTMLElement | null | undefined): void {
  const last = useRef(what);
  useLayoutEffect(() => {
    if (last.current !== what && document.activeElement === document.body) find()?.focus({ preventScroll: true });
    last.current = what;
  });
}

/** A lecture is open: the page has the wide layout in narrower windows, too. */
export const lecturing = signal(false);

export const isWide = (): boolean => lecturing.value || matchMedia(BREAKPOINTS.wide).matches;

/** Whether the page has the wide layout: columns that scroll, and no bottom sheet. */
export function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(BREAKPOINTS.wide).matches);
  useEffect(() => {
    const query = matchMedia(BREAKPOINTS.wide);
    const follow = () => setWide(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return wide || lecturing.value;
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
