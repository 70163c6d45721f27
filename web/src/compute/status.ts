import type { ConvError } from '../protocol/errors';
import type { ModuleVariant, Request } from '../protocol/messages';

export interface Activity {
  readonly type: Request['type'];
  /** What is being done, for a person. */
  readonly phase: string;
  /** 0..1 over the whole request. */
  readonly fraction: number;
}

/** What the page shows of the worker. Each change is a new object. */
export interface ClientStatus {
  readonly worker: 'starting' | 'ready' | 'failed';
  /** The module that runs, once it is ready. */
  readonly variant: ModuleVariant | null;
  /** Why the worker failed to start. */
  readonly error: ConvError | null;
  readonly activity: Activity | null;
}

export const STARTING: ClientStatus = { worker: 'starting', variant: null, error: null, activity: null };

/** A status that can be listened to. */
export class StatusSource {
  #status = STARTING;
  readonly #listeners = new Set<(status: ClientStatus) => void>();

  get current(): ClientStatus {
    return this.#status;
  }

  set(change: Partial<ClientStatus>): void {
    this.#status = { ...this.#status, ...change };
    for (const listener of this.#listeners) listener(this.#status);
  }

  /** Calls `listener` at every change, until the returned function is called. */
  subscribe(listener: (status: ClientStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
