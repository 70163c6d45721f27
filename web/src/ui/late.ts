import { type ReadonlySignal, signal } from '@preact/signals';

/** `damaged`: it arrived, but not whole. A browser keeps that until the page is loaded again, however often it is asked. */
export type LateStatus = 'unasked' | 'loading' | 'ready' | 'failed' | 'damaged';

/** A download shorter than this needs no words, in milliseconds. */
export const PATIENCE_MS = 400;

/** Has `say` told what somebody waits for, if that takes long. */
export function patiently<Loaded>(what: string, loading: Promise<Loaded>, say: (message: string) => void) {
  const timer = setTimeout(() => say(`${what}: being fetched …`), PATIENCE_MS);
  return loading.finally(() => clearTimeout(timer));
}

/** Asking starts the download; whoever asked while rendering or in a computed signal is run again when it is there. */
export interface Late<Loaded> {
  (): Loaded | null;
  readonly status: ReadonlySignal<LateStatus>;
  /** Tries a download again that failed. */
  readonly retry: () => void;
}

/** A component or a function that is no part of the first download. `LateNotice` tells a person how it stands. */
export function late<Loaded>(load: () => Promise<Loaded>): Late<Loaded> {
  const arrived = signal<Loaded | null>(null);
  const status = signal<LateStatus>('unasked');
  let asked = false;
  const start = () => {
    status.value = 'loading';
    load().then(
      (loaded) => {
        arrived.value = loaded;
        status.value = 'ready';
      },
      (cause) => {
        status.value = cause instanceof SyntaxError ? 'damaged' : 'failed';
      },
    );
  };
  const get = () => {
    // A computed signal may ask, and must not change another while it is computed.
    if (!asked) queueMicrotask(start);
    asked = true;
    return arrived.value;
  };
  const retry = () => {
    if (status.peek() === 'failed') start();
  };
  return Object.assign(get, { status, retry });
}
