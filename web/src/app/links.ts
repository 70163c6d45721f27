import { lazy } from '../ui/lazy';

/** Loaded lazily: not needed before the first hover or pin. */
export const links = lazy(async () => (await import('../geometry/links')).linksOf);
