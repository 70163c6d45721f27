import type { Slot } from '../engine/session-heap';
import type { Learnt } from '../protocol/questions';

type State = ReadonlyMap<Slot, Float32Array>;

interface Entry {
  readonly step: number;
  readonly loss: number;
  readonly watched: readonly number[];
}

/** Points of a curve: more than this are no wider than a stage. */
const MOST_POINTS = 512;
/** States to go back to, and how many numbers they may hold together. */
const MOST_STATES = 64;
const MOST_NUMBERS = 2 ** 22;

/**
 * The way of a descent, in room that does not grow with its length: of a curve that has become too long every second point goes,
 * and of the states that one can go back to.
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
    const numbers = [...start.values()].reduce((sum, { length }) => sum + length, 1);
    this.#mostStates = Math.max(1, Math.min(MOST_STATES, Math.floor(MOST_NUMBERS / numbers)));
  }

  /** Hears of every step, more than once of those that were gone back from. */
  note(step: number, loss: number, stateOf: () => State): void {
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
        this.#states = this.#states.filter((kept) => kept.step % this.#stateEvery === 0);
      }
    }
  }

  /** The last state that is kept up to a step. */
  nearest(step: number): { readonly step: number; readonly state: State } {
    return this.#states.findLast((kept) => kept.step <= step) ?? { step: 0, state: this.#start };
  }

  /** The way to a step, which is its last point. */
  until(step: number, loss: number, state: State): Learnt['history'] {
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
