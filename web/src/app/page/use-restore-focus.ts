import { useLayoutEffect, useRef } from 'preact/hooks';

/** When `what` changes and the focused element is gone, focuses the element that `find` returns. */
export function useRestoreFocus(what: unknown, find: () => HTMLElement | null | undefined): void {
  const last = useRef(what);
  useLayoutEffect(() => {
    if (last.current !== what && document.activeElement === document.body) find()?.focus({ preventScroll: true });
    last.current = what;
  });
}
