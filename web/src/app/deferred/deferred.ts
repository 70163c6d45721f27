import { useEffect } from 'preact/hooks';
import { lazy } from '../../ui/lazy';

/** Small parts for every visitor, loaded after the first numbers, or earlier to say why there are none. */
export const deferred = lazy('A part of the page', () => import('./deferred-parts'));

/** Loads the second chunk once there is a result. An effect runs after painting: the first numbers do not wait for it. */
export function useDeferred(hasResult: boolean): void {
  useEffect(() => {
    if (hasResult) deferred();
  }, [hasResult]);
}
