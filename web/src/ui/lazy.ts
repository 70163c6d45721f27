import { type ReadonlySignal, signal } from '@preact/signals';
import { isDamagedFile, whole } from '../loading/damaged-file';

/** `damaged`: the file is cut. The browser caches the failed module until the page is reloaded. */
export type LazyStatus = 'unasked' | 'loading' | 'ready' | 'failed' | 'damaged';

/** Delay before a loading message, in ms. */
export const PATIENCE_MS = 400;

/** A part that is loading or may fail to load. `LoadingNotice` shows its status. */
export interface Loading {
  /** Its name in messages, as the subject of a sentence: "The explanation". */
  readonly what: string;
  readonly status: ReadonlySignal<LazyStatus>;
  readonly retry: () => void;
}

export const loadingText = (what: string): string => `${what}: loading…`;

/** The sentence about every part that failed to load. */
export const failureText = (what: string, isDamaged: boolean): string =>
  `${what} failed to load${isDamaged ? ' (damaged file)' : ''}. Try again, or reload the page: the URL contains your problem.`;

/** The first call starts the download. A component or computed signal that called it is run again when it is ready. */
export interface Lazy<Loaded> extends Loading {
  (): Loaded | null;
  /** The same without starting the download. */
  readonly loaded: ReadonlySignal<Loaded | null>;
  /** The part once it is there. Retries a failed download; rejects with the sentence for the user if it fails again. */
  readonly wait: () => Promise<Loaded>;
  /**
   * For an action: calls `act` with the part, at once if it is there (a browser permits copying only during a click). `say` gets
   * a message if the part takes long or fails to load.
   */
  readonly use: (act: (loaded: Loaded) => unknown, say: (message: string) => void) => void;
}

/** A component or function that is not in the first download. All late code of the page comes by it. */
export function lazy<Loaded>(what: string, load: () => Promise<Loaded>): Lazy<Loaded> {
  const loaded = signal<Loaded | null>(null);
  const status = signal<LazyStatus>('unasked');
  let loading: Promise<Loaded> | null = null;
  const wait = (): Promise<Loaded> => {
    if (loading && status.peek() !== 'failed') return loading;
    status.value = 'loading';
    loading = load()
      .then(whole)
      .then(
        (part) => {
          loaded.value = part;
          status.value = 'ready';
          return part;
        },
        (cause) => {
          const isDamaged = isDamagedFile(cause);
          status.value = isDamaged ? 'damaged' : 'failed';
          throw new Error(failureText(what, isDamaged), { cause });
        },
      );
    // `status` has the failure, too: waiting for it is optional.
    loading.catch(() => undefined);
    return loading;
  };
  const get = () => {
    // A computed signal may call this, and must not change another signal while it is computed.
    if (status.peek() === 'unasked') queueMicrotask(() => void wait());
    return loaded.value;
  };
  const retry = () => {
    if (status.peek() === 'failed') void wait();
  };
  const use: Lazy<Loaded>['use'] = (act, say) => {
    const part = loaded.peek();
    if (part !== null) {
      act(part);
      return;
    }
    const timer = setTimeout(() => say(loadingText(what)), PATIENCE_MS);
    wait()
      .finally(() => clearTimeout(timer))
      .then(act, (failure: Error) => say(failure.message));
  };
  return Object.assign(get, { what, status, loaded, retry, wait, use });
}
