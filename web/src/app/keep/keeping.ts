import { lazy } from '../../ui/lazy';

/** The differences from a kept result and the bar that describes them; loaded with the first result that is kept. */
export const keeping = lazy('The kept result', () => import('./KeptBar'));
