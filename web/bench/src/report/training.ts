import type { Pass } from '../../../src/protocol/problem';
import type { BenchResult, Entry, Race } from '../result';
import { markdownTable, milliseconds, ratio } from './format';
import { geometricMean } from './statistics';
import { fastest, isOurs, PLAN, partiesOf } from './summary';

// A training step of a layer inside a network: forward, dx and dw of the same shape. Times are sums of the medians.

const STEP: readonly Pass[] = ['forward', 'backward_data', 'backward_weights'];

interface TrainingStep {
  readonly shape: string;
  /** By party; without those that lack a pass. */
  readonly times: ReadonlyMap<string, number>;
  /** Time of the best peer / own time. */
  readonly speedUp?: number;
}

/** The shapes that were raced in all three passes. */
export function trainingSteps(result: BenchResult): readonly TrainingStep[] {
  const shapes = [...new Set(result.races.map(({ shape }) => shape))];
  return shapes.flatMap((shape) => {
    const races = STEP.map((pass) => result.races.find((race) => race.shape === shape && race.pass === pass));
    if (!races.every((race): race is Race => race !== undefined)) return [];
    const times = new Map(
      partiesOf(result).flatMap((party) => {
        const time = stepTime(races, party);
        return time === undefined ? [] : [[party, time] as const];
      }),
    );
    return [{ shape, times, ...speedUpOf(times) }];
  });
}

/** The plan's choices, or the fastest forms of a peer; undefined if a pass is missing. */
function stepTime(races: readonly Race[], party: string): number | undefined {
  const times = races.map(({ entries }) => {
    const own = entries.filter((entry) => entry.party === party && (!isOurs(entry) || entry.form === PLAN));
    return fastest(own)?.kernel.median;
  });
  return times.every((time): time is number => time !== undefined) ? times.reduce((a, b) => a + b) : undefined;
}

function speedUpOf(times: ReadonlyMap<string, number>): Pick<TrainingStep, 'speedUp'> {
  const ours = [...times].find(([party]) => isOurs({ party }))?.[1];
  const peers = [...times].filter(([party]) => !isOurs({ party })).map(([, time]) => time);
  return ours === undefined || peers.length === 0 ? {} : { speedUp: Math.min(...peers) / ours };
}

/** Training steps of whole networks, as Markdown; nothing if none was raced. */
export function networkSection({ networks = [], parties }: BenchResult): string[] {
  if (networks.length === 0) return [];
  const names = Object.keys(parties).filter((name) =>
    networks.some(({ entries }) => entriesOf(entries, name).length > 0),
  );
  const rows = networks.map(({ network, entries }) => {
    const best = names.map((name) => [name, fastest(entriesOf(entries, name))] as const);
    const times = new Map(best.flatMap(([name, entry]) => (entry ? [[name, entry.kernel.median] as const] : [])));
    const cells = best.map(([, entry]) => {
      if (!entry) return '-';
      return `${milliseconds(entry.kernel.median)}${entry.form === PLAN ? '' : ` ${entry.form}`}`;
    });
    return [network, ...cells, ratio(speedUpOf(times).speedUp)];
  });
  return [
    '## Training step of a network',
    markdownTable(['network', ...names, 'speed-up'], rows),
    networks.map(({ network, size }) => `${network}: ${size}.`).join('\n'),
    'A step is forward, half the mean squared error, all gradients but that of x, and the update of weights and biases. ' +
      'The loss and the change of each weight were compared.',
  ];
}

const entriesOf = (entries: readonly Entry[], party: string) => entries.filter((entry) => entry.party === party);

/** As Markdown; nothing if no shape was raced in all three passes. */
export function trainingSection(result: BenchResult): string[] {
  const steps = trainingSteps(result);
  if (steps.length === 0) return [];
  const parties = partiesOf(result);
  const rows = steps.map(({ shape, times, speedUp }) => [
    shape,
    ...parties.map((party) => (times.has(party) ? milliseconds(times.get(party)) : '-')),
    ratio(speedUp),
  ]);
  const mean = geometricMean(steps.flatMap(({ speedUp }) => speedUp ?? []));
  return [
    '## Training step: forward, dx and dw, kernel only',
    markdownTable(['shape', ...parties, 'speed-up'], rows),
    `Sums of the medians above. Geometric mean of the speed-ups over the best peer: **${ratio(mean)}**.`,
  ];
}
