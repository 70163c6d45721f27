import { toConvError } from '../../engine/failure';
import type { Pass } from '../../protocol/problem';
import type { RaceEntry, RaceRequest, RaceResult, RaceTask } from '../../protocol/race';
import type { Contender, Course, Runner } from './contender';
import { type Referee, TOLERANCE } from './referee';
import { Contestant, interleave } from './timing';

/** The right result of more than this takes the reference many seconds, and loops as long, again and again. */
const MOST_MACS = 1.5e9;
/** Everybody who races has x, w and dy for himself. */
const MOST_FLOATS = 2 ** 25;
/** What needs longer than this for one run is not run again and again. */
const LONGEST_RUN_MS = 3000;

export type Pace = Pick<RaceRequest, 'rounds' | 'budget'> & { readonly batch: number };

/** Told of every turn that was had, of so many. */
export type OnTurn = (done: number, total: number, what: string) => void;

interface Entrant {
  readonly contender: Contender;
  readonly runner: Runner;
  readonly error: number;
  readonly prepared: Contestant;
  readonly unprepared: Contestant | null;
}

/** All who can compute a task, judged and then timed in turn. */
export async function raceOne(
  task: RaceTask,
  referee: Referee,
  contenders: (task: RaceTask) => readonly Contender[],
  pace: Pace,
  onTurn: OnTurn,
): Promise<RaceResult> {
  const { desc, pass } = task;
  const sizes = referee.take(desc);
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
    return { ...empty, refusal: 'too large for a race: loops alone would take minutes' };
  onTurn(0, 1, 'working out what is right');
  referee.expect(pass);
  const course: Course = { ...task, inputs: referee.inputs() };
  const all = contenders(task);
  const lost: RaceEntry[] = [];
  const entrants: Entrant[] = [];
  for (const [i, contender] of all.entries()) {
    onTurn(i, 10 * all.length, 'checking results');
    const admitted = admit(contender, course, referee, pace);
    if ('prepared' in admitted) entrants.push(admitted);
    else lost.push(admitted);
  }
  const contestants = entrants.flatMap(({ prepared, unprepared }) =>
    unprepared ? [prepared, unprepared] : [prepared],
  );
  const total = contestants.length * (pace.rounds + 1);
  let turns = 0;
  try {
    await interleave(contestants, pace.rounds, () => {
      turns += 1;
      onTurn(total / 9 + turns, (total * 10) / 9, turns < contestants.length ? 'warming up' : 'timing');
    });
  } finally {
    for (const { runner } of entrants) runner.dispose();
  }
  const timed = entrants.map(entryOf);
  const order = all.map(({ id }) => id);
  const entries = [...timed, ...lost].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  return { ...empty, entries };
}

/** Of what a pass reads and what it writes. */
function floatsOf(
  pass: Pass,
  k: number,
  { x_floats: x, w_floats: w, y_floats: y }: Awaited<ReturnType<Referee['take']>>,
) {
  if (pass === 'backward_bias') return y + k;
  return x + w + y + (pass === 'forward' ? k : 0);
}

const unheard = ({ id, build }: Contender): RaceEntry => ({
  ...{ id, build, algorithm: '', threads: 1, fate: 'left_out', reason: '', error: 0 },
  ...{ samples: [], unprepared: null, scratch_bytes: 0, packed_bytes: 0 },
});

/** Only who computes the right thing is timed: with what it keeps of the weights, and without. */
function admit(contender: Contender, course: Course, referee: Referee, pace: Pace): Entrant | RaceEntry {
  const nothing = unheard(contender);
  const why = contender.whyNot(course.desc, course.pass);
  if (why !== '') return { ...nothing, reason: why };
  let runner: Runner | null = null;
  try {
    runner = contender.prepare(course);
    const { algorithm, threads, scratch_bytes, packed_bytes } = runner;
    const known = { ...nothing, algorithm, threads, scratch_bytes, packed_bytes };
    const start = performance.now();
    runner.run();
    const spent = performance.now() - start;
    const first = referee.judge(runner.result());
    if (spent > LONGEST_RUN_MS) {
      runner.dispose();
      return { ...known, error: first.error, reason: `one run takes ${(spent / 1000).toFixed(1)} s` };
    }
    runner.run();
    const second = referee.judge(runner.result());
    const error = Math.max(first.error, second.error);
    if (!(error <= TOLERANCE)) {
      runner.dispose();
      const off = Number.isFinite(error)
        ? `off by ${error.toExponential(1)} of the largest value`
        : 'no numbers at all';
      return { ...known, fate: 'wrong', error, reason: `its result is wrong (${off}), so it is not timed` };
    }
    const { run, runUnprepared } = runner;
    return {
      contender,
      runner,
      error,
      prepared: new Contestant(run, pace),
      unprepared: runUnprepared && new Contestant(runUnprepared, pace),
    };
  } catch (thrown) {
    runner?.dispose();
    return { ...nothing, fate: 'failed', reason: toConvError(thrown).message };
  }
}

function entryOf({ contender, runner, error, prepared, unprepared }: Entrant): RaceEntry {
  const { algorithm, threads, scratch_bytes, packed_bytes } = runner;
  return {
    ...unheard(contender),
    ...{ algorithm, threads, scratch_bytes, packed_bytes },
    fate: 'timed',
    error,
    samples: prepared.samples,
    unprepared: unprepared?.samples ?? null,
  };
}
