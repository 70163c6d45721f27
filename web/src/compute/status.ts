import type { ConvError } from '../protocol/errors';
import type { ModuleVariant, Request } from '../protocol/messages';

export interface Activity {
  readonly type: Request['type'];
  /** Name of the current step, for the user. */
  readonly phase: string;
  /** 0..1 over the whole request. */
  readonly fraction: number;
}

/** State of the worker for the page. Each change creates a new object. */
export interface ClientStatus {
  readonly worker: 'starting' | 'ready' | 'failed';
  /** The module variant; null until ready. */
  readonly variant: ModuleVariant | null;
  /** Why the worker failed to start. */
  readonly error: ConvError | null;
  readonly activity: Activity | null;
}

export const STARTING: ClientStatus = { worker: 'starting', variant: null, error: null, activity: null };

/** An observable status. */
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

  /** Calls `listener` at every change. Returns a function that unsubscribes. */
  subscribe(listener: (status: ClientStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
