import { vi } from 'vitest';

/** Milliseconds for an event that does not come. Without it vitest gives up after a second, which a busy machine exceeds. */
const timeout = 180_000;

const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, typeof options === 'object' ? { timeout, ...options } : timeout);
vi.waitUntil = (callback, options) =>
  waitUntil(callback, typeof options === 'object' ? { timeout, ...options } : timeout);
