import { toConvError } from '../engine/validate';
import type { RaceMessage, RaceRequest, RaceTask } from '../protocol/race';
import { createCeilings, type HelperRequest, help } from './race/ceilings';
import { type Entrant, type Machine, survey } from './race/library';
import { raceOne } from './race/race-one';
import { batchFor, clockStep } from './race/timing';
import { createVerifier, type Verifier } from './race/verifier';

/** A race runs in its own worker with its own modules and memory, so that ending the worker ends all of it. */

const PROGRESS_INTERVAL_MS = 50;

const post = (message: RaceMessage): void => self.postMessage(message);

/** All entrants of a task, in the order of the results. */
function entrantsOf({ libraries }: Machine, verifier: Verifier, every: boolean) {
  const best = libraries.get('relaxed') ?? libraries.get('simd');
  return (task: RaceTask): readonly Entrant[] => [
    ...verifier.loops,
    ...[...libraries].flatMap(([build, library]) =>
      build === 'threads' ? [library.choice] : [library.im2col, library.choice],
    ),
    ...(every && best ? best.others(task) : []),
  ];
}

async function race({ tasks, every, rounds, budget }: RaceRequest): Promise<void> {
  post({ type: 'progress', fraction: 0, what: 'loading the implementations' });
  const machine = await survey();
  post({ type: 'machine', machine: machine.facts });
  const verifier = await createVerifier();
  const batch = batchFor(machine.facts.clock_step);
  post({ type: 'progress', fraction: 0, what: 'measuring the peak speed of this device' });
  const sample = await createCeilings(machine, verifier, batch);
  let lastMessage = 0;
  for (const [index, task] of tasks.entries()) {
    post({ type: 'ceilings', ceilings: sample() });
    const result = await raceOne(
      task,
      verifier,
      entrantsOf(machine, verifier, every),
      { rounds, budget, batch },
      (done, total, what) => {
        const now = performance.now();
        if (now - lastMessage < PROGRESS_INTERVAL_MS) return;
        lastMessage = now;
        post({ type: 'progress', fraction: (index + done / total) / tasks.length, what });
      },
    );
    post({ type: 'result', index, result });
  }
  post({ type: 'ceilings', ceilings: sample() });
  post({ type: 'done' });
}

self.onmessage = async ({ data }: MessageEvent<RaceRequest | HelperRequest>) => {
  if (data.type === 'ceiling') {
    // A rejection is no error event of this worker, so it is an answer.
    self.postMessage(await help(batchFor(clockStep())).catch(() => null));
    return;
  }
  try {
    await race(data);
  } catch (thrown) {
    post({ type: 'failed', message: toConvError(thrown).message });
  }
};
