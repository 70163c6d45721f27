import { isClear, type Summary } from './statistics';

/** One who raced at several values of what was swept. */
export interface Track {
  readonly id: string;
  readonly points: readonly TrackPoint[];
}

export interface TrackPoint {
  readonly x: number;
  /** Of the milliseconds of a run; null where it was not timed. */
  readonly time: Summary | null;
}

/** `faster` is behind before `between[0]`'s next neighbour, and ahead from there on. */
export interface Crossover {
  readonly faster: string;
  readonly slower: string;
  readonly between: readonly [number, number];
  /** Where straight lines between the measured times cross, both axes logarithmic. */
  readonly at: number;
  /** Both sides were told apart by more than the spread of their runs. */
  readonly clear: boolean;
}

/** Every place where one overtakes another, by x. */
export function crossoversOf(tracks: readonly Track[]): readonly Crossover[] {
  const found = tracks.flatMap((a, i) => tracks.slice(i + 1).flatMap((b) => crossoversBetween(a, b)));
  return found.sort((one, other) => one.at - other.at);
}

function crossoversBetween(a: Track, b: Track): readonly Crossover[] {
  const both = a.points.flatMap(({ x, time }) => {
    const other = b.points.find((point) => point.x === x)?.time;
    return time && other ? [{ x, a: time, b: other }] : [];
  });
  return both.flatMap((left, i) => {
    const right = both[i + 1];
    if (!right) return [];
    const [before, after] = [lead(left.a, left.b), lead(right.a, right.b)];
    if (before * after >= 0) return [];
    const share = before / (before - after);
    const at = Math.exp(Math.log(left.x) + share * (Math.log(right.x) - Math.log(left.x)));
    const [faster, slower] = after > 0 ? [a.id, b.id] : [b.id, a.id];
    const clear = isClear(left.a, left.b) && isClear(right.a, right.b);
    return [{ faster, slower, between: [left.x, right.x], at, clear } as const];
  });
}

/** How far `a` is ahead of `b`; negative where it is behind. */
const lead = (a: Summary, b: Summary): number => Math.log(b.median) - Math.log(a.median);

/** Those after which another one is the fastest of all. */
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
