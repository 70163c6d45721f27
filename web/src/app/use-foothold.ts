import { useLayoutEffect, useRef } from 'preact/hooks';

/** Where the focus goes when `what` has changed and it stood in what is gone: nowhere is no place to press Tab from. */
export function useFoothold(what: unknown, find: () => HTMLElement | null | undefined): void {
  const last = useRef(what);
  useLayoutEffect(() => {
    if (last.current !== what && document.activeElement === document.body) find()?.focus({ preventScroll: true });
    last.current = what;
  });
}
