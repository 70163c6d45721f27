/** How algorithms are timed: by the page and by the benchmark (web/bench). */

/**
 * Minimum duration of a batch. A shorter one would measure the resolution of the clock: 5 microseconds on an isolated page, 100
 * elsewhere, more in browsers that resist fingerprinting (`clockStep`).
 */
const BATCH_MS = 4;
const STEPS_PER_BATCH = 20;
/** Maximum duration of a batch. With a coarser clock, short times are inaccurate, and the shortest are 0. */
const LONGEST_BATCH_MS = 400;
const MAX_BATCH = 20_000;
/** V8 replaces WebAssembly functions by optimized ones after some calls; the timing starts after that. */
const WARM_UP_MS = 150;
const WARM_UP_CALLS = 4;
/** Limits the time of a slow implementation. */
const BUDGET_MS = 4000;
const FEWEST_ROUNDS = 3;
/** Readings of the clock for one step. A step of 0.1 s, the coarsest, takes about a million. */
const MOST_READINGS = 2 ** 23;

type Work = () => unknown;

/** Calls of `work` that are timed together. */
interface Batch {
  readonly work: Work;
  readonly calls: number;
}

/** Yields batches in the order in which they run, and takes the milliseconds per call of each. */
type Schedule = Generator<Batch, void, number>;

/** Resolution of the clock in milliseconds; 0 if the clock stands still. */
export function clockStep(now: () => number = () => performance.now()): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 20 && smallest > 0; i += 1) {
    const start = now();
    let later = now();
    for (let read = 0; later === start && read < MOST_READINGS; read += 1) later = now();
    smallest = Math.min(smallest, later - start);
  }
  return smallest;
}

/** Duration of a batch for a clock with this resolution. */
export const batchFor = (step: number): number =>
  Math.min(LONGEST_BATCH_MS, Math.max(BATCH_MS, STEPS_PER_BATCH * step));

interface TimingOptions {
  readonly batch: number;
  readonly budget: number;
}

/** Times one implementation: warms it up, and chooses the calls per batch and the number of rounds. */
export class TimedRun {
  /** Milliseconds per call, for each round. */
  readonly samples: number[] = [];
  readonly #work: Work;
  readonly #options: TimingOptions;
  #calls = 1;
  #rounds = 0;

  constructor(work: Work, { batch = BATCH_MS, budget = BUDGET_MS }: Partial<TimingOptions> = {}) {
    this.#work = work;
    this.#options = { batch, budget };
  }

  *warmUp(rounds: number): Schedule {
    const { batch, budget } = this.#options;
    const start = performance.now();
    let calls = 0;
    let spent = 0;
    do {
      yield this.#batchOf(1);
      calls += 1;
      spent = performance.now() - start;
    } while (spent <= budget / 2 && (calls < WARM_UP_CALLS || spent <= WARM_UP_MS) && calls < MAX_BATCH);
    // The mean: a single call may take less than a step of the clock.
    this.#calls = callsFor(batch, spent / calls);
    // The first calls were slow: measure a whole batch.
    const latest = yield this.#batchOf(this.#calls);
    this.#calls = callsFor(batch, latest);
    const affordable = Math.floor(budget / (latest * this.#calls));
    this.#rounds = Math.min(rounds, Math.max(FEWEST_ROUNDS, affordable));
  }

  *round(): Schedule {
    if (this.samples.length < this.#rounds) this.samples.push(yield this.#batchOf(this.#calls));
  }

  #batchOf(calls: number): Batch {
    return { work: this.#work, calls };
  }
}

const callsFor = (batch: number, each: number): number =>
  Math.min(MAX_BATCH, Math.max(1, Math.ceil(batch / Math.max(each, 1e-4))));

/** All `runs` in rounds, in rotating order, so that no run always follows the same one. */
function* rotated(runs: readonly TimedRun[], rounds: number): Schedule {
  for (const run of runs) yield* run.warmUp(rounds);
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < runs.length; i += 1) yield* runs[(round + i) % runs.length]?.round() ?? [];
  }
}

/** Times `runs` against each other. Work may be asynchronous. */
export async function interleave(runs: readonly TimedRun[], rounds: number): Promise<void> {
  const schedule = rotated(runs, rounds);
  let next = schedule.next();
  while (!next.done) {
    const { work, calls } = next.value;
    const start = performance.now();
    for (let i = 0; i < calls; i += 1) {
      const result = work();
      // Awaiting a value that is not a promise would delay synchronous work by a microtask.
      if (result instanceof Promise) await result;
    }
    next = schedule.next((performance.now() - start) / calls);
  }
}

/** Times synchronous work and returns the median of its rounds, in milliseconds per call. */
export function medianTime(run: TimedRun, rounds: number): number {
  const schedule = rotated([run], rounds);
  let next = schedule.next();
  while (!next.done) {
    const { work, calls } = next.value;
    const start = performance.now();
    for (let i = 0; i < calls; i += 1) work();
    next = schedule.next((performance.now() - start) / calls);
  }
  return median(run.samples);
}

/** NaN if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
