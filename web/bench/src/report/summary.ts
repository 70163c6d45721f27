import type { Pass } from '../../../src/protocol/problem';
import type { BenchResult, Entry, Race } from '../result';
import { geometricMean } from './statistics';

/** One race compared with the peers. Speed-ups are peer time / own time: this library is faster above 1. */
export interface PeerComparison {
  readonly race: Race;
  /** The plan's choice of the first variant of this library. */
  readonly ours: Entry | undefined;
  /** Over the fastest peer, which may be another one end to end. Undefined if one of both was not timed. */
  readonly speedUp: Readonly<Record<TimeKind, number | undefined>>;
}

export const isOurs = ({ party }: { readonly party: string }): boolean => party.startsWith('ours');

/** Thread count of a party of this library. */
export const threadsOf = (party: string): number => Number(/-(\d+)-threads$/.exec(party)?.[1] ?? 1);

/** The form of the plan's choice. The other forms of this library are named by their algorithm. */
export const PLAN = 'plan';

/** The form of the plan's choice with Accuracy::strict, where it differs. */
export const STRICT = 'strict';

/** Winograd mixes the cells of a tile: it is faster and less exact. */
export const isWinograd = ({ form, algorithm = form }: Entry): boolean => algorithm.startsWith('winograd');

/** A result without the entries of the other accuracy: the fastest of all parties, or all of them without Winograd. */
export function withAccuracy(result: BenchResult, accuracy: 'fast' | 'strict'): BenchResult {
  const strict = accuracy === 'strict';
  const asPlan = (entry: Entry): Entry => (entry.form === STRICT ? { ...entry, form: PLAN } : entry);
  const races = result.races.map((race) => ({
    ...race,
    entries: race.entries.filter((entry) => (strict ? !isWinograd(entry) : entry.form !== STRICT)).map(asPlan),
  }));
  return { ...result, races };
}

/** Whether the result has entries of both accuracies. */
export const hasStrict = ({ races }: BenchResult): boolean =>
  races.some(({ entries }) => entries.some(({ form }) => form === STRICT));

export const racesOf = ({ races }: BenchResult, pass: Pass) => races.filter((race) => race.pass === pass);
export const passes = ({ races }: BenchResult) => [...new Set(races.map(({ pass }) => pass))];
export const partiesOf = ({ parties }: BenchResult): string[] => Object.keys(parties);

export type TimeKind = 'kernel' | 'endToEnd';

const timeOf = (entry: Entry, kind: TimeKind) => entry[kind]?.median ?? Number.POSITIVE_INFINITY;

/** Undefined if no entry has a time of this kind. */
export function fastest(entries: readonly Entry[], kind: TimeKind = 'kernel'): Entry | undefined {
  const timed = entries.filter((entry) => entry[kind] !== undefined);
  return timed.toSorted((a, b) => timeOf(a, kind) - timeOf(b, kind))[0];
}

export const fastestOf = ({ entries }: Race, party: string, kind?: TimeKind): Entry | undefined =>
  fastest(
    entries.filter((entry) => entry.party === party),
    kind,
  );

function speedUpOver(theirs: Entry | undefined, ours: Entry | undefined, kind: TimeKind): number | undefined {
  const [time, own] = [theirs?.[kind]?.median, ours?.[kind]?.median];
  return time === undefined || own === undefined ? undefined : time / own;
}

export function compareWithPeers(race: Race): PeerComparison {
  const ours = race.entries.find((entry) => isOurs(entry) && entry.form === PLAN);
  const peers = race.entries.filter((entry) => !isOurs(entry));
  const speedUp = (kind: TimeKind) => speedUpOver(fastest(peers, kind), ours, kind);
  return { race, ours, speedUp: { kernel: speedUp('kernel'), endToEnd: speedUp('endToEnd') } };
}

/** Geometric mean of the speed-ups that exist; NaN without any. */
export const meanSpeedUp = (comparisons: readonly PeerComparison[], kind: TimeKind): number =>
  geometricMean(comparisons.flatMap(({ speedUp }) => speedUp[kind] ?? []));

/** Geometric mean of the speed-ups over the fastest form of one peer. */
export const meanSpeedUpOver = (comparisons: readonly PeerComparison[], peer: string, kind: TimeKind): number =>
  geometricMean(comparisons.flatMap(({ race, ours }) => speedUpOver(fastestOf(race, peer, kind), ours, kind) ?? []));

/** Groups by the first letter of the shape: S (teaching), R (ResNet), D (depthwise), ... */
export function families(comparisons: readonly PeerComparison[]): Map<string, PeerComparison[]> {
  const byLetter = new Map<string, PeerComparison[]>();
  for (const comparison of comparisons) {
    const letter = comparison.race.shape.slice(0, 1);
    byLetter.set(letter, [...(byLetter.get(letter) ?? []), comparison]);
  }
  return byLetter;
}

export const gigaflops = (race: Race, entry: Entry): number => race.flops / entry.kernel.median / 1e6;

/** The ceiling of the entry's instruction set: plain SIMD128 has no fused multiply-add. */
export function ceilingOf({ ceilings }: BenchResult, { party }: Entry): number {
  const kind = party.endsWith('-simd') ? 'simd' : (Object.keys(ceilings)[0] ?? '');
  return ceilings[kind]?.median ?? Number.NaN;
}

/** Workspace / (|x| + |w| + |y|). Packed weights replace w: they are no workspace. */
export const workspaceShare = (race: Race, entry: Entry): number | undefined =>
  entry.workspaceFloats === undefined ? undefined : entry.workspaceFloats / race.tensorFloats;

/**
 * Whether the workspace exceeds 1.25 of the tensors and 1024 floats (4 kB): a row of registers of a tiny image is longer
 * than the image.
 */
export const workspaceTooLarge = (race: Race, entry: Entry): boolean =>
  (entry.workspaceFloats ?? 0) > Math.max(1024, 1.25 * race.tensorFloats);
