import type { ConvError } from '../protocol/errors';

/**
 * How a request ended. `dropped` needs no message: a newer request replaced it, the user cancelled it, or its problem is no
 * longer current.
 */
export type Outcome<T> =
  | { readonly status: 'done'; readonly result: T }
  | { readonly status: 'failed'; readonly error: ConvError }
  | { readonly status: 'dropped'; readonly why: 'superseded' | 'cancelled' | 'stale' };
