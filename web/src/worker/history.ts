import type { Slot } from '../engine/session-heap';
import type { Learned } from '../protocol/questions';

type State = ReadonlyMap<Slot, Float32Array>;

interface Entry {
  readonly step: number;
  readonly loss: number;
  readonly watched: readonly number[];
}

/** Maximum number of points of a curve: more than the pixels of a plot. */
const MOST_POINTS = 512;
/** Maximum number of saved states, and of all their values together. */
const MOST_STATES = 64;
const MOST_VALUES = 2 ** 22;

/**
 * The losses and saved states of a gradient descent, in bounded memory: when there are too many points or states, every second
 * one is removed.
 */
export class History {
  readonly #watch: Int32Array;
  readonly #start: State;
  readonly #mostStates: number;
  #points: Entry[] = [];
  #every = 1;
  #states: { readonly step: number; readonly state: State }[] = [];
  #stateEvery = 16;

  constructor(start: State, watch: Int32Array) {
    this.#start = start;
    this.#watch = watch;
    const values = [...start.values()].reduce((sum, { length }) => sum + length, 1);
    this.#mostStates = Math.max(1, Math.min(MOST_STATES, Math.floor(MOST_VALUES / values)));
  }

  /** Records a step. Steps that were recorded before are ignored. */
  record(step: number, loss: number, stateOf: () => State): void {
    if (step % this.#every === 0 && step > (this.#points.at(-1)?.step ?? -1)) {
      this.#points.push(this.#entry(step, loss, stateOf()));
      if (this.#points.length > MOST_POINTS) {
        this.#every *= 2;
        this.#points = this.#points.filter((point) => point.step % this.#every === 0);
      }
    }
    if (step > 0 && step % this.#stateEvery === 0 && step > (this.#states.at(-1)?.step ?? 0)) {
      this.#states.push({ step, state: stateOf() });
      if (this.#states.length > this.#mostStates) {
        this.#stateEvery *= 2;
        this.#states = this.#states.filter((saved) => saved.step % this.#stateEvery === 0);
      }
    }
  }

  /** The latest saved state at or before `step`. */
  nearest(step: number): { readonly step: number; readonly state: State } {
    return this.#states.findLast((saved) => saved.step <= step) ?? { step: 0, state: this.#start };
  }

  /** The history up to and including `step`. */
  until(step: number, loss: number, state: State): Learned['history'] {
    const points = [...this.#points.filter((point) => point.step < step), this.#entry(step, loss, state)];
    return {
      steps: Int32Array.from(points, (point) => point.step),
      losses: Float64Array.from(points, (point) => point.loss),
      watched: Float32Array.from(points.flatMap(({ watched }) => watched)),
    };
  }

  #entry(step: number, loss: number, state: State): Entry {
    const values = state.get('x') ?? state.get('w');
    return { step, loss, watched: Array.from(this.#watch, (index) => values?.[index] ?? Number.NaN) };
  }
}
