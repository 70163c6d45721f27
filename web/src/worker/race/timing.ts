/**
 * A batch shorter than this would measure the clock (5 microseconds on an isolated page, 100 elsewhere, more where a browser hides
 * who its user is: `clockStep`).
 */
const BATCH_MS = 4;
const STEPS_PER_BATCH = 20;
/** A browser whose clock stands still for longer times badly, and is told so; nobody waits for it all the same. */
const LONGEST_BATCH_MS = 400;
const MAX_BATCH = 20_000;
/** V8 replaces WebAssembly functions by optimised ones after some calls; the clock starts after that. */
const WARM_UP_MS = 150;
const WARM_UP_CALLS = 4;
/** So that one slow way (plain JavaScript loops, say) does not make the run endless. */
const BUDGET_MS = 4000;
const FEWEST_ROUNDS = 3;

type Work = () => unknown;

/** Milliseconds between two times that this clock tells apart. */
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

/** How long a batch has to be for a clock of this step. */
export const batchFor = (step: number): number =>
  Math.min(LONGEST_BATCH_MS, Math.max(BATCH_MS, STEPS_PER_BATCH * step));

/** Milliseconds per call over `calls` calls. */
async function timeBatch(work: Work, calls: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < calls; i += 1) {
    const result = work();
    // Awaiting what is no promise would add a turn of the event loop to parties that are synchronous.
    if (result instanceof Promise) await result;
  }
  return (performance.now() - start) / calls;
}

interface Pace {
  readonly batch: number;
  readonly budget: number;
}

/** Something to time, warm, with the number of calls that make a batch long enough and the rounds that it gets. */
export class Contestant {
  readonly samples: number[] = [];
  readonly #work: Work;
  readonly #pace: Pace;
  #calls = 1;
  #rounds = 0;

  constructor(work: Work, { batch = BATCH_MS, budget = BUDGET_MS }: Partial<Pace> = {}) {
    this.#work = work;
    this.#pace = { batch, budget };
  }

  async warmUp(rounds: number): Promise<void> {
    const { batch, budget } = this.#pace;
    const start = performance.now();
    let latest = await timeBatch(this.#work, 1);
    for (let calls = 1; calls < MAX_BATCH; calls += 1) {
      const spent = performance.now() - start;
      if (spent > budget / 2 || (calls >= WARM_UP_CALLS && spent > WARM_UP_MS)) break;
      latest = await timeBatch(this.#work, 1);
    }
    this.#calls = callsFor(batch, latest);
    // The clock is coarse for one short call: judge by a batch.
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
 * Rounds in which every contestant has one turn; the one that starts changes, so that nobody always follows the same. `onTurn`
 * hears of each, those to warm up among them.
 */
export async function interleave(
  contestants: readonly Contestant[],
  rounds: number,
  onTurn: () => void = () => undefined,
): Promise<void> {
  for (const contestant of contestants) {
    await contestant.warmUp(rounds);
    onTurn();
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < contestants.length; i += 1) {
      await contestants[(round + i) % contestants.length]?.round();
      onTurn();
    }
  }
}
