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

/** Items by step, in bounded memory: when there are too many, every second one is removed. */
class Thinned<Item extends { readonly step: number }> {
  items: Item[] = [];

  constructor(
    private every: number,
    private readonly most: number,
  ) {}

  /** Steps that were added before are ignored. */
  add(step: number, itemOf: () => Item): void {
    if (step % this.every !== 0 || step <= (this.items.at(-1)?.step ?? -1)) return;
    this.items.push(itemOf());
    if (this.items.length <= this.most) return;
    this.every *= 2;
    this.items = this.items.filter((item) => item.step % this.every === 0);
  }
}

/** The losses and saved states of a gradient descent. */
export class History {
  readonly #watch: Int32Array;
  readonly #start: State;
  readonly #points = new Thinned<Entry>(1, MOST_POINTS);
  readonly #states: Thinned<{ readonly step: number; readonly state: State }>;

  constructor(start: State, watch: Int32Array) {
    this.#start = start;
    this.#watch = watch;
    const values = [...start.values()].reduce((sum, { length }) => sum + length, 1);
    this.#states = new Thinned(16, Math.max(1, Math.min(MOST_STATES, Math.floor(MOST_VALUES / values))));
  }

  record(step: number, loss: number, stateOf: () => State): void {
    this.#points.add(step, () => this.#entry(step, loss, stateOf()));
    if (step > 0) this.#states.add(step, () => ({ step, state: stateOf() }));
  }

  /** The latest saved state at or before `step`. */
  nearest(step: number): { readonly step: number; readonly state: State } {
    return this.#states.items.findLast((saved) => saved.step <= step) ?? { step: 0, state: this.#start };
  }

  /** The history up to and including `step`. */
  until(step: number, loss: number, state: State): Learned['history'] {
    const points = [...this.#points.items.filter((point) => point.step < step), this.#entry(step, loss, state)];
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
