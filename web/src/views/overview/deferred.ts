import { signal } from '@preact/signals';

/** The arrows and the player, which do not move the panels; the second chunk sets them (app/deferred/deferred-parts.ts). */
export const overviewParts = signal<typeof import('./parts') | null>(null);
