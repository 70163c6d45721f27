/** A batch shorter than this would measure the clock (5 microseconds on an isolated page). */
const BATCH_MS = 4;
const MAX_BATCH = 20_000;
/** V8 replaces WebAssembly functions by optimised ones after some calls; the clock starts after that. */
const WARM_UP_MS = 150;
const WARM_UP_CALLS = 4;
/** So that one slow way (plain JavaScript loops, say) does not make the run endless. */
const BUDGET_MS = 4000;
const FEWEST_ROUNDS = 3;

type Work = () => unknown;

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

/** Something to time, warm, with the number of calls that make a batch long enough and the rounds that it gets. */
export class Contestant {
  readonly samples: number[] = [];
  readonly #work: Work;
  #calls = 1;
  #rounds = 0;

  constructor(work: Work) {
    this.#work = work;
  }

  async warmUp(rounds: number): Promise<void> {
    const start = performance.now();
    let latest = await timeBatch(this.#work, 1);
    for (let calls = 1; calls < MAX_BATCH; calls += 1) {
      const spent = performance.now() - start;
      if (spent > BUDGET_MS / 2 || (calls >= WARM_UP_CALLS && spent > WARM_UP_MS)) break;
      latest = await timeBatch(this.#work, 1);
    }
    this.#calls = Math.min(MAX_BATCH, Math.max(1, Math.ceil(BATCH_MS / Math.max(latest, 1e-4))));
    // The clock is coarse for one short call: judge by a batch.
    latest = await timeBatch(this.#work, this.#calls);
    this.#calls = Math.min(MAX_BATCH, Math.max(1, Math.ceil(BATCH_MS / Math.max(latest, 1e-4))));
    const affordable = Math.floor(BUDGET_MS / (latest * this.#calls));
    this.#rounds = Math.min(rounds, Math.max(FEWEST_ROUNDS, affordable));
  }

  async round(): Promise<void> {
    if (this.samples.length < this.#rounds) this.samples.push(await timeBatch(this.#work, this.#calls));
  }
}

/** Rounds in which every contestant has one turn; the one that starts changes, so that nobody always follows the same. */
export async function interleave(contestants: readonly Contestant[], rounds: number): Promise<void> {
  for (const contestant of contestants) await contestant.warmUp(rounds);
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < contestants.length; i += 1) await contestants[(round + i) % contestants.length]?.round();
  }
}
