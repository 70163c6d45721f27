import { late } from '../ui/late';

/** No part of the first download: nothing is joined before somebody points. */
export const links = late(async () => (await import('../geometry/links')).linksOf);
