import { signal } from '@preact/signals';

/** The sentence of the player while the opening is shown in motion (app/second/after-first-result.tsx). */
export const openingCaption = signal<string | null>(null);
