import { signal } from '@preact/signals';

/** The motion on the page: a player that plays, or the opening; null: none. Setting null pauses both. */
export const playing = signal<'player' | 'opening' | null>(null);
