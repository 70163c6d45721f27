import type { Pass } from '../../src/protocol/problem';
import { interleave, median, TimedRun } from '../../src/worker/timing';
import { type CeilingKind, loadCeiling } from './ceiling';
import { isSubnormal, relativeError, TOLERANCE } from './compare';
import { middleIndex } from './layout';
import { type Network, networkCase, sizeText } from './network';
import type { Form, Party, Reference, Runner } from './party';
import { type Case, flopsOf, NAMED_SHAPES, outputShape, tensorFloats } from './problem';
import type { BenchResult, Ceiling, Entry, Failure, NetworkRace, Race } from './result';

export interface RaceOptions {
  readonly shapes: readonly string[];
  readonly passes: readonly Pass[];
  readonly threads: number;
  readonly rounds: number;
  /** Whether the copies in and out are timed too. */
  readonly endToEnd: boolean;
}

export type WebResult = Pick<BenchResult, 'parties' | 'absent' | 'ceilings' | 'races' | 'networks'>;

interface Entrant {
  readonly party: string;
  readonly form: string;
  readonly runner: Runner;
  readonly error: number;
  readonly kernel: TimedRun;
  readonly endToEnd: TimedRun;
}

/** Races all passes of all shapes, one after the other. */
export async function raceAll(
  reference: Reference,
  parties: readonly Party[],
  options: RaceOptions,
  progress: (line: string) => void,
): Promise<WebResult> {
  const kinds: CeilingKind[] = ['relaxed', 'simd'];
  const ceilings = await Promise.all(
    kinds.map(async (kind) => ({ kind, measure: await loadCeiling(kind), samples: [] as number[] })),
  );
  const races: Race[] = [];
  const shapes = NAMED_SHAPES.filter(({ name }) => options.shapes.includes(name));
  for (const shape of shapes) {
    for (const pass of options.passes) {
      progress(`${races.length + 1} of ${shapes.length * options.passes.length}, ${shape.name} ${pass}`);
      // The clock rate drifts, so the ceilings are measured throughout the run.
      for (const { measure, samples } of ceilings) samples.push(...Array.from({ length: 15 }, () => measure()));
      races.push(await raceOne(reference.makeCase(shape, pass), reference, parties, options));
    }
  }
  return {
    parties: Object.fromEntries(parties.map(({ name, version }) => [name, version])),
    ceilings: Object.fromEntries(ceilings.map(({ kind, samples }) => [kind, ceilingOf(samples)])),
    races,
  };
}

const ceilingOf = (samples: readonly number[]): Ceiling => ({ median: median(samples), best: Math.max(...samples) });

async function raceOne(
  problem: Case,
  reference: Reference,
  parties: readonly Party[],
  options: RaceOptions,
): Promise<Race> {
  const values = reference.expectedResult(problem);
  rejectSubnormals(problem, values);
  const scale = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const wanted = { values, probe: values[middleIndex(outputShape(problem))] ?? 0, scale };
  const entries = await raceForms(parties, (party) => party.forms(problem), wanted, options);
  const { name: shape, pass, geometry } = problem;
  return { shape, pass, flops: flopsOf(problem), tensorFloats: tensorFloats(geometry), ...entries };
}

/** Races a training step. */
export async function raceNetwork(
  network: Network,
  reference: Reference,
  parties: readonly Party[],
  { rounds }: Pick<RaceOptions, 'rounds'>,
): Promise<NetworkRace> {
  const of = networkCase(network);
  const { loss, changes } = reference.expectedStep(of);
  const wanted = { values: changes, probe: loss, scale: Math.abs(loss) };
  const forms = (party: Party) => party.networkForms?.(of) ?? [];
  const entries = await raceForms(parties, forms, wanted, { rounds, endToEnd: false });
  return { network: network.name, size: sizeText(network), ...entries };
}

/** What a form must compute. */
interface Wanted {
  readonly values: Float32Array;
  readonly probe: number;
  /** Largest magnitude of what is probed. */
  readonly scale: number;
}

async function raceForms(
  parties: readonly Party[],
  formsOf: (party: Party) => readonly Form[],
  wanted: Wanted,
  { rounds, endToEnd }: Pick<RaceOptions, 'rounds' | 'endToEnd'>,
): Promise<Pick<Race, 'entries' | 'failures'>> {
  const entrants: Entrant[] = [];
  const failures: Failure[] = [];
  for (const party of parties) {
    for (const form of formsOf(party).filter(({ isSupported = true }) => isSupported)) {
      try {
        entrants.push(await admit(party, form, wanted));
      } catch (error) {
        failures.push({ party: party.name, form: form.name, what: messageOf(error) });
      }
    }
  }
  const timedRuns = entrants.flatMap(({ kernel, endToEnd: whole }) => (endToEnd ? [kernel, whole] : [kernel]));
  await interleave(timedRuns, rounds);
  for (const { runner } of entrants) runner.dispose();
  return { entries: entrants.map(entryOf), failures };
}

/** Subnormal numbers would change the times: processors differ in how slowly they compute with them. */
function rejectSubnormals({ name, pass, x, w, b, dy }: Case, result: Float32Array): void {
  for (const [what, values] of Object.entries({ x, w, b, dy, result })) {
    const count = values.filter(isSubnormal).length;
    if (count > 0) throw new Error(`${name} ${pass}: ${count} values of ${what} are subnormal`);
  }
}

/** Throws unless the form computes the expected result, end to end and with resident data. */
async function admit(party: Party, form: Form, wanted: Wanted): Promise<Entrant> {
  const runner = await form.prepare();
  try {
    const error = relativeError(await runner.endToEnd(), wanted.values);
    if (!(error <= TOLERANCE)) throw new Error(`wrong result: relative error ${error.toExponential(1)}`);
    const probe = await runner.probe();
    if (!(Math.abs(probe - wanted.probe) <= TOLERANCE * wanted.scale))
      throw new Error(`wrong result with resident data: ${probe} instead of ${wanted.probe}`);
    const [kernel, endToEnd] = [new TimedRun(() => runner.kernel()), new TimedRun(() => runner.endToEnd())];
    return { party: party.name, form: form.name, runner, error, kernel, endToEnd };
  } catch (error) {
    runner.dispose();
    throw error;
  }
}

function entryOf({ party, form, runner, error, kernel, endToEnd }: Entrant): Entry {
  const { algorithm, workspaceFloats, note } = runner;
  const timing = ({ samples }: TimedRun) => ({ median: median(samples), samples });
  return {
    party,
    form,
    error,
    kernel: timing(kernel),
    ...(endToEnd.samples.length > 0 ? { endToEnd: timing(endToEnd) } : {}),
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(workspaceFloats === undefined ? {} : { workspaceFloats }),
    ...(note === undefined ? {} : { note }),
  };
}

export const messageOf = (error: unknown): string =>
  // LiteRT and TensorFlow throw numbers and strings too.
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 300);
