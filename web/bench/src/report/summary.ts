import type { BenchResult, Entry, Race } from '../result';
import { geometricMean } from './statistics';

/** What one race says about us and the others. Speed-ups are peer time / our time: above 1 we are faster. */
export interface Verdict {
  readonly race: Race;
  /** Our time: the plan's choice of our first variant. */
  readonly ours?: Entry;
  readonly bestPeer?: Entry;
  readonly speedUp?: number;
  /** The peer that is best end to end may be another one. */
  readonly bestPeerEndToEnd?: Entry;
  readonly endToEndSpeedUp?: number;
}

export const isOurs = ({ party }: { readonly party: string }): boolean => party.startsWith('ours');

/** Threads of one of our parties. */
export const threadsOf = (party: string): number => Number(/-(\d+)-threads$/.exec(party)?.[1] ?? 1);

/** The plan's choice on one thread and on `threads` of them. */
export interface ThreadsVerdict {
  readonly race: Race;
  readonly threads: number;
  readonly one: Entry;
  readonly several: Entry;
  readonly speedUp: number;
}

/** What several threads gain over one, where both were timed. */
export function judgeThreads(race: Race): ThreadsVerdict[] {
  const plans = race.entries.filter((entry) => isOurs(entry) && entry.form === PLAN);
  const one = plans.find(({ party }) => threadsOf(party) === 1);
  if (!one) return [];
  return plans
    .filter(({ party }) => threadsOf(party) > 1)
    .map((several) => {
      const speedUp = one.kernel.median / several.kernel.median;
      return { race, threads: threadsOf(several.party), one, several, speedUp };
    });
}

/** The name of the plan's choice among our forms; the others are algorithms by name. */
export const PLAN = 'plan';

export const passes = ({ races }: BenchResult) => [...new Set(races.map(({ pass }) => pass))];
export const partiesOf = ({ parties }: BenchResult): string[] => Object.keys(parties);

export type TimeKind = 'kernel' | 'endToEnd';

const timeOf = (entry: Entry, kind: TimeKind) => entry[kind]?.median ?? Number.POSITIVE_INFINITY;

/** The fastest, or undefined when nobody has a time. */
export function fastest(entries: readonly Entry[], kind: TimeKind = 'kernel'): Entry | undefined {
  const timed = entries.filter((entry) => entry[kind] !== undefined);
  return timed.toSorted((a, b) => timeOf(a, kind) - timeOf(b, kind))[0];
}

export function judge(race: Race): Verdict {
  const ours = race.entries.find((entry) => isOurs(entry) && entry.form === PLAN);
  const peers = race.entries.filter((entry) => !isOurs(entry));
  const [bestPeer, bestPeerEndToEnd] = [fastest(peers), fastest(peers, 'endToEnd')];
  return {
    race,
    ...(ours ? { ours } : {}),
    ...(bestPeer ? { bestPeer } : {}),
    ...(ours && bestPeer ? { speedUp: bestPeer.kernel.median / ours.kernel.median } : {}),
    ...(bestPeerEndToEnd ? { bestPeerEndToEnd } : {}),
    ...(ours?.endToEnd && bestPeerEndToEnd?.endToEnd
      ? { endToEndSpeedUp: bestPeerEndToEnd.endToEnd.median / ours.endToEnd.median }
      : {}),
  };
}

/** Geometric mean of the speed-ups that exist; NaN without any. */
export const meanSpeedUp = (verdicts: readonly Verdict[], kind: TimeKind): number =>
  geometricMean(verdicts.flatMap((verdict) => verdict[kind === 'kernel' ? 'speedUp' : 'endToEndSpeedUp'] ?? []));

/** The same against the best form of one peer. */
export function meanSpeedUpOver(verdicts: readonly Verdict[], peer: string, kind: TimeKind): number {
  const ratios = verdicts.flatMap(({ race, ours }) => {
    const theirs = fastest(
      race.entries.filter(({ party }) => party === peer),
      kind,
    );
    return ours?.[kind] && theirs ? timeOf(theirs, kind) / timeOf(ours, kind) : [];
  });
  return geometricMean(ratios);
}

/** The shapes' families by their first letter: S (teaching), R (ResNet), D (depthwise), ... */
export function families(verdicts: readonly Verdict[]): Map<string, Verdict[]> {
  const byLetter = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const letter = verdict.race.shape.slice(0, 1);
    byLetter.set(letter, [...(byLetter.get(letter) ?? []), verdict]);
  }
  return byLetter;
}

export const gigaflops = (race: Race, entry: Entry): number => race.flops / entry.kernel.median / 1e6;

/** The ceiling of what the entry may execute: plain SIMD128 has no fused multiply-add. */
export function ceilingOf({ ceilings }: BenchResult, { party }: Entry): number {
  const kind = party.endsWith('-simd') ? 'simd' : (Object.keys(ceilings)[0] ?? '');
  return ceilings[kind]?.median ?? Number.NaN;
}

/** A workspace may take a quarter more than the tensors themselves. */
export const WORKSPACE_LIMIT = 1.25;

/** Workspace / (|x| + |w| + |y|). */
export const workspaceShare = (race: Race, entry: Entry): number | undefined =>
  entry.workspaceFloats === undefined ? undefined : entry.workspaceFloats / race.tensorFloats;
