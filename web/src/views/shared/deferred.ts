import { signal } from '@preact/signals';

/** Parts of the panels that the first numbers do without; the second chunk sets them (app/deferred/deferred-parts.ts). */
export const sharedParts = signal<typeof import('./parts') | null>(null);
