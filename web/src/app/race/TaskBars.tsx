import type { RaceCeilings, RaceEntry, RaceResult } from '../../protocol/race';
import { type Bar, BarTable, reachOf } from '../../ui/plot/BarTable';
import { formatBytes, formatRatio } from '../../ui/quantities';
import {
  BUILD_NAMES,
  nameText,
  noiseWarning,
  PASS_NAMES,
  shareText,
  sizesText,
  speedsOf,
  spreadText,
  three,
  timeText,
} from './format';
import { costOf } from './record';

interface TaskBarsProps {
  readonly result: RaceResult;
  readonly ceilings: RaceCeilings;
  /** The same race on another device. */
  readonly other: RaceResult | null;
}

const HEADINGS = ['GFLOP/s', 'of peak', 'time per run', 'spread', 'extra memory'];

/** One race: the speed of every implementation. */
export function TaskBars({ result, ceilings, other }: TaskBarsProps) {
  const { pass, refusal, entries } = result;
  const { flops, x_col_bytes } = costOf(result);
  const marks = pass === 'backward_bias' ? [] : marksOf(ceilings, entries);
  /** With a column for the other device. */
  const beside = (cells: readonly string[], theirs: string) =>
    other ? [...cells.slice(0, 3), theirs, ...cells.slice(3)] : cells;
  const bars = entries.map((entry): Bar => {
    const { id, build, reason, samples } = entry;
    const speeds = speedsOf(result, samples);
    const elsewhere = other && speedsOf(other, other.entries.find((each) => each.id === id)?.samples ?? []);
    const common = { key: id, name: nameText(entry), kind: build, other: elsewhere?.middle ?? null };
    if (!speeds) return { ...common, value: null, cells: [], words: `Not timed: ${reason}.` };
    const theirs = elsewhere ? timeText(elsewhere.time.median) : '';
    return { ...common, value: speeds, cells: beside(cellsOf(result, entry, ceilings, speeds), theirs) };
  });
  const reach = reachOf(bars);
  const near = marks.filter(({ at }) => at <= reach);
  const far = marks.filter(({ at }) => at > reach);
  const fastest = Math.max(0, ...bars.map(({ value }) => value?.middle ?? 0));
  const doubt = refusal === '' ? noiseWarning(result) : null;
  return (
    <section class="race__task">
      <h3>This problem, {PASS_NAMES[pass]}</h3>
      <p class="race__note">
        {sizesText(result)}. {(flops / 1e6).toPrecision(3)} million operations
        {pass !== 'backward_bias' && <>; the whole x_col would be {formatBytes(x_col_bytes)}</>}.
      </p>
      {doubt && <p class="race__doubt">{doubt}</p>}
      {refusal !== '' ? (
        <p>Not raced: {refusal}.</p>
      ) : (
        <BarTable
          caption={captionOf(near, far, fastest)}
          unit={other ? 'here; hatched: the other device' : ''}
          headings={beside(HEADINGS, 'other device')}
          marks={near}
          bars={bars}
        />
      )}
    </section>
  );
}

type Ceiling = ReturnType<typeof marksOf>[number];

/** Explains the dashed lines and lists the peaks beyond the longest bar. */
function captionOf(near: readonly Ceiling[], far: readonly Ceiling[], fastest: number): string {
  const names = (marks: readonly Ceiling[]) => marks.map(({ name }) => name).join(', ');
  const times = Math.min(...far.map(({ at }) => at)) / fastest;
  const further = Number.isFinite(times) ? `, ${formatRatio(Number(times.toPrecision(2)))} times the fastest` : '';
  return [
    ...(near.length > 0 ? [`Dashed: peak speeds, ${names(near)} GFLOP/s.`] : []),
    ...(far.length > 0 ? [`Beyond the longest bar: peak speeds, ${names(far)} GFLOP/s${further}.`] : []),
  ].join(' ');
}

/** The share is relative to the peak of the build, or of one thread if the work was not divided. db, a sum, is limited by memory: in GB/s. */
function cellsOf(
  result: RaceResult,
  { build, threads, samples, scratch_bytes }: RaceEntry,
  ceilings: RaceCeilings,
  { time, middle }: NonNullable<ReturnType<typeof speedsOf>>,
): readonly string[] {
  const ceiling = ceilings[build === 'loops' ? 'simd' : build === 'threads' && threads === 1 ? 'relaxed' : build];
  const share = ceiling === null ? '' : shareText(middle / ceiling);
  return [
    three(middle),
    result.pass === 'backward_bias' ? `${three(costOf(result).bytes / time.median / 1e6)} GB/s` : share,
    timeText(time.median),
    samples.length > 1 ? spreadText(time) : '',
    scratch_bytes === 0 ? 'none' : formatBytes(scratch_bytes),
  ];
}

function marksOf(ceilings: RaceCeilings, entries: readonly RaceEntry[]) {
  const builds = new Set(entries.filter(({ fate }) => fate === 'timed').map(({ build }) => build));
  return (['simd', 'relaxed', 'threads'] as const).flatMap((kind) => {
    const at = ceilings[kind];
    return at !== null && builds.has(kind) ? [{ name: `${BUILD_NAMES[kind]} ${three(at)}`, at }] : [];
  });
}
