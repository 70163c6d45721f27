import { toConvError } from '../../engine/validate';
import type { RaceEntry, RaceRequest, RaceResult, RaceTask } from '../../protocol/race';
import type { Entrant, PreparedTask, Runner } from './library';
import { interleave, TimedRun } from './timing';
import { TOLERANCE, type Verifier } from './verifier';

/** Multiply-adds. Above this the reference takes many seconds, and so does each run of the loops. */
const MOST_MACS = 1.5e9;
/** Floats of x, w and y together. Each entrant has its own copies. */
const MOST_FLOATS = 2 ** 25;
/** An entrant that needs longer for one run is not timed. */
const LONGEST_RUN_MS = 3000;

export type RaceTiming = Pick<RaceRequest, 'rounds' | 'budget'> & { readonly batch: number };

/** Called after every timed run; `total` counts all of them. */
export type OnRound = (done: number, total: number, what: string) => void;

/** An entrant with a correct result. */
interface AdmittedEntrant {
  readonly entry: RaceEntry;
  readonly runner: Runner;
  readonly timed: TimedRun;
}

/** Checks the result of every entrant that supports the task, then times them in rotating order. */
export async function raceOne(
  task: RaceTask,
  verifier: Verifier,
  entrants: (task: RaceTask) => readonly Entrant[],
  timing: RaceTiming,
  onRound: OnRound,
): Promise<RaceResult> {
  const { desc, pass } = task;
  const { macs, x_floats, w_floats, y_floats } = verifier.setProblem(desc);
  if (macs > MOST_MACS || x_floats + w_floats + y_floats > MOST_FLOATS)
    return { desc, pass, entries: [], refusal: 'too large to race: the plain loops alone would take minutes' };
  onRound(0, 1, 'computing the expected result');
  verifier.computeExpected(pass);
  const prepared: PreparedTask = { ...task, inputs: verifier.inputs() };
  const all = entrants(task).map((entrant, i, { length }) => {
    onRound(i, 10 * length, 'checking results');
    return admit(entrant, prepared, verifier, timing);
  });
  const admitted = all.filter((one): one is AdmittedEntrant => 'timed' in one);
  const runs = admitted.map(({ timed }) => timed);
  const total = runs.length * (timing.rounds + 1);
  let rounds = 0;
  try {
    await interleave(runs, timing.rounds, () => {
      rounds += 1;
      onRound(total / 9 + rounds, (total * 10) / 9, rounds < runs.length ? 'warming up' : 'timing');
    });
  } finally {
    for (const { runner } of admitted) runner.dispose();
  }
  const entries = all.map((one) => ('timed' in one ? { ...one.entry, samples: one.timed.samples } : one));
  return { desc, pass, entries, refusal: '' };
}

/** Prepares an entrant for timing if its result is correct, at the first run and with packed weights. */
function admit(
  entrant: Entrant,
  task: PreparedTask,
  verifier: Verifier,
  timing: RaceTiming,
): AdmittedEntrant | RaceEntry {
  let entry: RaceEntry = {
    ...{ id: entrant.id, build: entrant.build, algorithm: '', threads: 1, fate: 'left_out', reason: '', error: 0 },
    ...{ samples: [], scratch_bytes: 0 },
  };
  const why = entrant.whyNot(task.desc, task.pass);
  if (why !== '') return { ...entry, reason: why };
  let runner: Runner | null = null;
  const refuse = (reason: string, change: Partial<RaceEntry> = {}): RaceEntry => {
    runner?.dispose();
    return { ...entry, ...change, reason };
  };
  try {
    runner = entrant.prepare(task);
    const { algorithm, threads, scratch_bytes, run } = runner;
    const start = performance.now();
    run();
    const spent = performance.now() - start;
    const first = verifier.verify(runner.result());
    entry = { ...entry, algorithm, threads, scratch_bytes, error: first };
    if (spent > LONGEST_RUN_MS) return refuse(`one run takes ${(spent / 1000).toFixed(1)} s`);
    run();
    const error = Math.max(first, verifier.verify(runner.result()));
    if (!(error <= TOLERANCE)) {
      const finite = Number.isFinite(error);
      const off = finite ? `off by ${error.toExponential(1)} of the largest value` : 'the values are not finite';
      return refuse(`its result is wrong (${off}), so it is not timed`, { fate: 'wrong', error });
    }
    return { entry: { ...entry, fate: 'timed', error }, runner, timed: new TimedRun(run, timing) };
  } catch (thrown) {
    return refuse(toConvError(thrown).message, { fate: 'failed' });
  }
}
