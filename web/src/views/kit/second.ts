import { signal } from '@preact/signals';

/** Parts of the panels that the first numbers do without; the second chunk sets them (app/second/second-parts.ts). */
export const kitParts = signal<typeof import('./parts') | null>(null);
