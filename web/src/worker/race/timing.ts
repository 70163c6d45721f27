/**
 * Minimum duration of a batch. A shorter one would measure the resolution of the clock: 5 microseconds on an isolated page, 100
 * elsewhere, more in browsers that resist fingerprinting (`clockStep`).
 */
const BATCH_MS = 4;
const STEPS_PER_BATCH = 20;
/** Maximum duration of a batch. With a coarser clock the page says that times are inaccurate. */
const LONGEST_BATCH_MS = 400;
const MAX_BATCH = 20_000;
/** V8 replaces WebAssembly functions by optimized ones after some calls; the timing starts after that. */
const WARM_UP_MS = 150;
const WARM_UP_CALLS = 4;
/** Limits the time of a slow implementation. */
const BUDGET_MS = 4000;
const FEWEST_ROUNDS = 3;

type Work = () => unknown;

/** Resolution of the clock in milliseconds. */
export function clockStep(now: () => number = () => performance.now()): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 20; i += 1) {
    const start = now();
    let later = now();
    while (later === start) later = now();
    smallest = Math.min(smallest, later - start);
  }
  return smallest;
}

/** Duration of a batch for a clock with this resolution. */
export const batchFor = (step: number): number =>
  Math.min(LONGEST_BATCH_MS, Math.max(BATCH_MS, STEPS_PER_BATCH * step));

/** Milliseconds per call over `calls` calls. */
async function timeBatch(work: Work, calls: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < calls; i += 1) {
    const result = work();
    // Awaiting a value that is not a promise would delay synchronous work by a microtask.
    if (result instanceof Promise) await result;
  }
  return (performance.now() - start) / calls;
}

interface TimingOptions {
  readonly batch: number;
  readonly budget: number;
}

/** Times one implementation: warms it up, and chooses the calls per batch and the number of rounds. */
export class TimedRun {
  readonly samples: number[] = [];
  readonly #work: Work;
  readonly #options: TimingOptions;
  #calls = 1;
  #rounds = 0;

  constructor(work: Work, { batch = BATCH_MS, budget = BUDGET_MS }: Partial<TimingOptions> = {}) {
    this.#work = work;
    this.#options = { batch, budget };
  }

  async warmUp(rounds: number): Promise<void> {
    const { batch, budget } = this.#options;
    const start = performance.now();
    let latest = await timeBatch(this.#work, 1);
    for (let calls = 1; calls < MAX_BATCH; calls += 1) {
      const spent = performance.now() - start;
      if (spent > budget / 2 || (calls >= WARM_UP_CALLS && spent > WARM_UP_MS)) break;
      latest = await timeBatch(this.#work, 1);
    }
    this.#calls = callsFor(batch, latest);
    // One short call is inaccurate: measure a whole batch.
    latest = await timeBatch(this.#work, this.#calls);
    this.#calls = callsFor(batch, latest);
    const affordable = Math.floor(budget / (latest * this.#calls));
    this.#rounds = Math.min(rounds, Math.max(FEWEST_ROUNDS, affordable));
  }

  async round(): Promise<void> {
    if (this.samples.length < this.#rounds) this.samples.push(await timeBatch(this.#work, this.#calls));
  }
}

const callsFor = (batch: number, each: number): number =>
  Math.min(MAX_BATCH, Math.max(1, Math.ceil(batch / Math.max(each, 1e-4))));

/**
 * Times all `runs` in rounds, in rotating order, so that no run always follows the same one. Calls `onRound` after each run,
 * including warm-ups.
 */
export async function interleave(
  runs: readonly TimedRun[],
  rounds: number,
  onRound: () => void = () => undefined,
): Promise<void> {
  for (const run of runs) {
    await run.warmUp(rounds);
    onRound();
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < runs.length; i += 1) {
      await runs[(round + i) % runs.length]?.round();
      onRound();
    }
  }
}
