import { type ReadonlySignal, signal } from '@preact/signals';
import { isDamagedFile, whole } from '../trust/damaged-file';

/** `damaged`: the file is cut. The browser caches the failed module until the page is reloaded. */
export type LazyStatus = 'unasked' | 'loading' | 'ready' | 'failed' | 'damaged';

/** Delay before a loading message, in ms. */
export const PATIENCE_MS = 400;

/** Calls `say` with a loading message if `loading` takes longer than PATIENCE_MS. */
export function withLoadingMessage<Loaded>(what: string, loading: Promise<Loaded>, say: (message: string) => void) {
  const timer = setTimeout(() => say(`${what}: loading…`), PATIENCE_MS);
  return loading.finally(() => clearTimeout(timer));
}

/** The first call starts the download. A component or computed signal that called it is run again when it is ready. */
export interface Lazy<Loaded> {
  (): Loaded | null;
  readonly status: ReadonlySignal<LazyStatus>;
  /** The same without starting the download. */
  readonly loaded: ReadonlySignal<Loaded | null>;
  readonly retry: () => void;
  /** For an action: the part once it is there. Retries a failed download; rejects if it fails again. */
  readonly wait: () => Promise<Loaded>;
}

/** Lazy: a component or function that is not in the first download. `LoadingNotice` shows its status. */
export function lazy<Loaded>(load: () => Promise<Loaded>): Lazy<Loaded> {
  const result = signal<Loaded | null>(null);
  const status = signal<LazyStatus>('unasked');
  let loading: Promise<Loaded> | null = null;
  const start = (): Promise<Loaded> => {
    if (loading && status.peek() !== 'failed') return loading;
    status.value = 'loading';
    loading = load().then(whole);
    loading.then(
      (loaded) => {
        result.value = loaded;
        status.value = 'ready';
      },
      (cause) => {
        status.value = isDamagedFile(cause) ? 'damaged' : 'failed';
      },
    );
    return loading;
  };
  const get = () => {
    // A computed signal may call this, and must not change another signal while it is computed.
    if (status.peek() === 'unasked') queueMicrotask(() => void start());
    return result.value;
  };
  const retry = () => {
    if (status.peek() === 'failed') void start();
  };
  return Object.assign(get, { status, loaded: result, retry, wait: start });
}
