import { toConvError } from '../engine/failure';
import type { RaceMessage, RaceRequest, RaceTask } from '../protocol/race';
import { Ceilings, type HelperRequest, help } from './race/ceilings';
import type { Contender } from './race/contender';
import { type Machine, survey } from './race/machine';
import { raceOne } from './race/race-one';
import { Referee } from './race/referee';
import { batchFor, clockStep } from './race/timing';

/** A race has this worker, modules and memory for itself; whoever has seen enough ends all of it at once. */

const PROGRESS_INTERVAL_MS = 50;

const post = (message: RaceMessage): void => self.postMessage(message);

/** Everybody who can race a task, in the order in which they are told. */
export function contendersOf({ libraries }: Machine, referee: Referee, every: boolean) {
  const best = libraries.get('relaxed') ?? libraries.get('simd');
  return ({ desc, pass }: RaceTask): readonly Contender[] => [
    ...referee.loops(),
    ...[...libraries].flatMap(([build, library]) =>
      build === 'threads' ? [library.choice()] : [library.im2col(), library.choice()],
    ),
    ...(every && best ? best.others(desc, pass) : []),
  ];
}

async function race({ tasks, every, rounds, budget }: RaceRequest): Promise<void> {
  post({ type: 'progress', fraction: 0, what: 'fetching what races' });
  const machine = await survey();
  post({ type: 'machine', machine: machine.facts });
  const referee = new Referee(machine.race);
  const batch = batchFor(machine.facts.clock_step);
  post({ type: 'progress', fraction: 0, what: 'measuring what this device can do at most' });
  const ceilings = new Ceilings(machine, batch);
  await ceilings.begin(referee);
  let told = 0;
  for (const [index, task] of tasks.entries()) {
    ceilings.sample();
    post({ type: 'ceilings', ceilings: ceilings.reached });
    const result = await raceOne(
      task,
      referee,
      contendersOf(machine, referee, every),
      { rounds, budget, batch },
      (done, total, what) => {
        const now = performance.now();
        if (now - told < PROGRESS_INTERVAL_MS) return;
        told = now;
        post({ type: 'progress', fraction: (index + done / total) / tasks.length, what });
      },
    );
    post({ type: 'result', index, result });
  }
  ceilings.sample();
  post({ type: 'ceilings', ceilings: ceilings.reached });
  post({ type: 'done' });
}

self.onmessage = async ({ data }: MessageEvent<RaceRequest | HelperRequest>) => {
  if (data.type === 'ceiling') {
    self.postMessage(await help(data, batchFor(clockStep())));
    return;
  }
  try {
    await race(data);
  } catch (thrown) {
    post({ type: 'failed', message: toConvError(thrown).message });
  }
};
