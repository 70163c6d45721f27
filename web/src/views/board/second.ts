import { signal } from '@preact/signals';

/** The arrows and the player, which do not move the panels; the second chunk sets them (app/second/second-parts.ts). */
export const boardParts = signal<typeof import('./parts') | null>(null);
