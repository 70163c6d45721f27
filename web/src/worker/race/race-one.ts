import { toConvError } from '../../engine/failure';
import type { Pass } from '../../protocol/problem';
import type { RaceEntry, RaceRequest, RaceResult, RaceTask } from '../../protocol/race';
import type { Entrant, PreparedTask, Runner } from './entrant';
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

interface AdmittedEntrant {
  readonly entrant: Entrant;
  readonly runner: Runner;
  readonly error: number;
  readonly prepared: TimedRun;
  readonly unprepared: TimedRun | null;
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
  const sizes = verifier.setProblem(desc);
  const floats = sizes.x_floats + sizes.w_floats + sizes.y_floats;
  const empty: RaceResult = {
    ...{ name: task.name, desc, pass },
    flops: pass === 'backward_bias' ? sizes.y_floats : 2 * sizes.macs,
    bytes: 4 * floatsOf(pass, desc.k, sizes),
    x_col_bytes: 4 * sizes.x_col_floats,
    entries: [],
    refusal: '',
  };
  if (sizes.macs > MOST_MACS || floats > MOST_FLOATS)
    return { ...empty, refusal: 'too large to race: the plain loops alone would take minutes' };
  onRound(0, 1, 'computing the expected result');
  verifier.computeExpected(pass);
  const prepared: PreparedTask = { ...task, inputs: verifier.inputs() };
  const all = entrants(task);
  const excluded: RaceEntry[] = [];
  const admitted: AdmittedEntrant[] = [];
  for (const [i, entrant] of all.entries()) {
    onRound(i, 10 * all.length, 'checking results');
    const result = admit(entrant, prepared, verifier, timing);
    if ('prepared' in result) admitted.push(result);
    else excluded.push(result);
  }
  const sampled = admitted.flatMap(({ prepared, unprepared }) => (unprepared ? [prepared, unprepared] : [prepared]));
  const total = sampled.length * (timing.rounds + 1);
  let rounds = 0;
  try {
    await interleave(sampled, timing.rounds, () => {
      rounds += 1;
      onRound(total / 9 + rounds, (total * 10) / 9, rounds < sampled.length ? 'warming up' : 'timing');
    });
  } finally {
    for (const { runner } of admitted) runner.dispose();
  }
  const timed = admitted.map(entryOf);
  const order = all.map(({ id }) => id);
  const entries = [...timed, ...excluded].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  return { ...empty, entries };
}

/** Floats that a pass reads and writes. */
function floatsOf(
  pass: Pass,
  k: number,
  { x_floats: x, w_floats: w, y_floats: y }: Awaited<ReturnType<Verifier['setProblem']>>,
) {
  if (pass === 'backward_bias') return y + k;
  return x + w + y + (pass === 'forward' ? k : 0);
}

const notTimed = ({ id, build }: Entrant): RaceEntry => ({
  ...{ id, build, algorithm: '', threads: 1, fate: 'left_out', reason: '', error: 0 },
  ...{ samples: [], unprepared: null, scratch_bytes: 0, packed_bytes: 0 },
});

/** Prepares an entrant for timing, with packed weights and without, if its result is correct. */
function admit(
  entrant: Entrant,
  task: PreparedTask,
  verifier: Verifier,
  timing: RaceTiming,
): AdmittedEntrant | RaceEntry {
  const nothing = notTimed(entrant);
  const why = entrant.whyNot(task.desc, task.pass);
  if (why !== '') return { ...nothing, reason: why };
  let runner: Runner | null = null;
  try {
    runner = entrant.prepare(task);
    const { algorithm, threads, scratch_bytes, packed_bytes } = runner;
    const known = { ...nothing, algorithm, threads, scratch_bytes, packed_bytes };
    const start = performance.now();
    runner.run();
    const spent = performance.now() - start;
    const first = verifier.verify(runner.result());
    if (spent > LONGEST_RUN_MS) {
      runner.dispose();
      return { ...known, error: first.error, reason: `one run takes ${(spent / 1000).toFixed(1)} s` };
    }
    runner.run();
    const second = verifier.verify(runner.result());
    const error = Math.max(first.error, second.error);
    if (!(error <= TOLERANCE)) {
      runner.dispose();
      const off = Number.isFinite(error)
        ? `off by ${error.toExponential(1)} of the largest value`
        : 'the values are not finite';
      return { ...known, fate: 'wrong', error, reason: `its result is wrong (${off}), so it is not timed` };
    }
    const { run, runUnprepared } = runner;
    return {
      entrant,
      runner,
      error,
      prepared: new TimedRun(run, timing),
      unprepared: runUnprepared && new TimedRun(runUnprepared, timing),
    };
  } catch (thrown) {
    runner?.dispose();
    return { ...nothing, fate: 'failed', reason: toConvError(thrown).message };
  }
}

function entryOf({ entrant, runner, error, prepared, unprepared }: AdmittedEntrant): RaceEntry {
  const { algorithm, threads, scratch_bytes, packed_bytes } = runner;
  return {
    ...notTimed(entrant),
    ...{ algorithm, threads, scratch_bytes, packed_bytes },
    fate: 'timed',
    error,
    samples: prepared.samples,
    unprepared: unprepared?.samples ?? null,
  };
}
