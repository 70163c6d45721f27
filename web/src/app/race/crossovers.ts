import { isClear, type Summary } from './statistics';

/** One entrant over the values of a sweep. */
export interface Track {
  readonly id: string;
  readonly points: readonly TrackPoint[];
}

export interface TrackPoint {
  readonly x: number;
  /** Milliseconds per run; null if not timed. */
  readonly time: Summary | null;
}

/** `faster` is slower at `between[0]` and faster at `between[1]`, by more than the spread of the runs. */
export interface Crossover {
  readonly faster: string;
  readonly slower: string;
  readonly between: readonly [number, number];
  /** Intersection of the straight lines between the measured times, both axes logarithmic. */
  readonly at: number;
}

/** All crossovers, sorted by x. Overlapping spreads count as equal. */
export function crossoversOf(tracks: readonly Track[]): readonly Crossover[] {
  const found = tracks.flatMap((a, i) => tracks.slice(i + 1).flatMap((b) => crossoversBetween(a, b)));
  return found.sort((one, other) => one.at - other.at);
}

function crossoversBetween(a: Track, b: Track): readonly Crossover[] {
  const leads = a.points.flatMap(({ x, time }) => {
    const other = b.points.find((point) => point.x === x)?.time;
    return time && other && isClear(time, other) ? [{ x, lead: Math.log(other.median) - Math.log(time.median) }] : [];
  });
  return leads.flatMap((left, i) => {
    const right = leads[i + 1];
    if (!right || left.lead * right.lead >= 0) return [];
    const share = left.lead / (left.lead - right.lead);
    const at = Math.exp(Math.log(left.x) + share * (Math.log(right.x) - Math.log(left.x)));
    const [faster, slower] = right.lead > 0 ? [a.id, b.id] : [b.id, a.id];
    return [{ faster, slower, between: [left.x, right.x], at } as const];
  });
}

/** The crossovers that change the fastest entrant. */
export function changesOfLead(tracks: readonly Track[], crossovers: readonly Crossover[]): readonly Crossover[] {
  const fastestAt = (x: number) =>
    tracks.reduce<{ id: string; median: number } | null>((best, { id, points }) => {
      const median = points.find((point) => point.x === x)?.time?.median;
      return median !== undefined && (!best || median < best.median) ? { id, median } : best;
    }, null)?.id;
  return crossovers.filter(
    ({ faster, slower, between: [left, right] }) => fastestAt(left) === slower && fastestAt(right) === faster,
  );
}
