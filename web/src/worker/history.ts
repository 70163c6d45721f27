import type { LearnAsk, Learned } from '../protocol/learn';

/** All of LearnAsk except the number of steps. */
export type LearnSettings = Omit<LearnAsk, 'steps'>;

/** The learned tensors, in the order of the learner. */
export type State = readonly Float32Array[];

interface Entry {
  readonly step: number;
  readonly loss: number;
  readonly watched: readonly number[];
  readonly norms: readonly number[];
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

/** What a gradient descent moves. */
export interface Learner {
  /** Copies. */
  state(): State;
  put(state: State): void;
  /** Computes the gradients at the current values. Returns the loss. */
  gradients(): number;
  /** One step against the gradients. `steps`: the number of steps before it. */
  move(steps: number): void;
  /** The tensor with the watched values. */
  watched(): Float32Array;
  /** Norms of the gradients to record. */
  norms(): readonly number[];
}

/** Goes to any step of a gradient descent, forwards and backwards, and records the losses and some states. */
export class LearnHistory {
  readonly #learner: Learner;
  readonly #watch: Int32Array;
  readonly #start: State;
  readonly #points = new Thinned<Entry>(1, MOST_POINTS);
  readonly #states: Thinned<{ readonly step: number; readonly state: State }>;
  #steps = 0;
  #loss: number;
  /** The last step with a finite loss; infinite if none diverged so far. */
  #last = Number.POSITIVE_INFINITY;

  /** Starts at the current values of the learner. */
  constructor(learner: Learner, watch: Int32Array) {
    this.#learner = learner;
    this.#watch = watch;
    this.#start = learner.state();
    const values = this.#start.reduce((sum, { length }) => sum + length, 1);
    this.#states = new Thinned(16, Math.max(1, Math.min(MOST_STATES, Math.floor(MOST_VALUES / values))));
    this.#loss = learner.gradients();
    this.#record();
  }

  /** Moves the learner to a step, or to the last step with a finite loss. */
  to(steps: number): Pick<Learned, 'steps' | 'loss' | 'history'> {
    if (steps < this.#steps) this.#goBack(steps);
    while (this.#steps < Math.min(steps, this.#last)) this.#advance();
    const points = [...this.#points.items.filter(({ step }) => step < this.#steps), this.#entry()];
    return {
      steps: this.#steps,
      loss: this.#loss,
      history: {
        steps: Int32Array.from(points, ({ step }) => step),
        losses: Float64Array.from(points, ({ loss }) => loss),
        watched: Float32Array.from(points.flatMap(({ watched }) => watched)),
        norms: Float64Array.from(points.flatMap(({ norms }) => norms)),
      },
    };
  }

  #advance(): void {
    const before = this.#learner.state();
    this.#learner.move(this.#steps);
    const loss = this.#learner.gradients();
    if (!Number.isFinite(loss)) {
      this.#last = this.#steps;
      this.#learner.put(before);
      this.#learner.gradients();
      return;
    }
    this.#loss = loss;
    this.#steps += 1;
    this.#record();
  }

  /** To the latest saved state at or before `steps`. */
  #goBack(steps: number): void {
    const saved = this.#states.items.findLast(({ step }) => step <= steps) ?? { step: 0, state: this.#start };
    this.#learner.put(saved.state);
    this.#steps = saved.step;
    this.#loss = this.#learner.gradients();
  }

  #record(): void {
    const step = this.#steps;
    this.#points.add(step, () => this.#entry());
    if (step > 0) this.#states.add(step, () => ({ step, state: this.#learner.state() }));
  }

  #entry(): Entry {
    const values = this.#learner.watched();
    const watched = Array.from(this.#watch, (index) => values[index] ?? Number.NaN);
    return { step: this.#steps, loss: this.#loss, watched, norms: this.#learner.norms() };
  }
}
