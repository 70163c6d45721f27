import type { ConvError } from '../protocol/errors';

/**
 * How a request ended. `dropped` is nobody's fault and needs no message: a newer request took its place, the user
 * cancelled, or the problem that it was about is gone.
 */
export type Outcome<T> =
  | { readonly status: 'done'; readonly result: T }
  | { readonly status: 'failed'; readonly error: ConvError }
  | { readonly status: 'dropped'; readonly why: 'superseded' | 'cancelled' | 'stale' };
