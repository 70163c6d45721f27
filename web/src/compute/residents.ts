import type { ComputeRequest } from '../protocol/messages';
import type { InputName } from './pack';

/**
 * What the worker holds, as far as the page can know: which input arrays (by identity; tensors of the page are never
 * changed in place) and the problem of which compute.
 */
export class Residents {
  readonly #inputs = new Map<InputName, Float32Array>();
  /** The id of the compute whose problem the worker holds. */
  revision: number | null = null;

  get inputs(): ReadonlyMap<InputName, Float32Array> {
    return this.#inputs;
  }

  /** A compute was posted: what it overwrites is no longer known. */
  posted(request: ComputeRequest, sent: ReadonlyMap<InputName, Float32Array>): void {
    this.revision = null;
    for (const name of sent.keys()) this.#inputs.delete(name);
    if (request.b === null) this.#inputs.delete('b');
  }

  /** That compute succeeded. */
  stored(id: number, sent: ReadonlyMap<InputName, Float32Array>): void {
    this.revision = id;
    for (const [name, array] of sent) this.#inputs.set(name, array);
  }

  /** A new worker holds nothing. */
  clear(): void {
    this.revision = null;
    this.#inputs.clear();
  }
}
