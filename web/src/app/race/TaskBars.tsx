import type { Pass } from '../../protocol/problem';
import type { RaceCeilings, RaceEntry, RaceResult, RaceTask } from '../../protocol/race';
import { type Bar, BarTable, reachOf } from '../../ui/plot/BarTable';
import { formatBytes, formatRatio } from '../../ui/quantities';
import { costOf, type Summary, summaryOf } from './record';

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
    formatRatio(middle),
    result.pass === 'backward_bias' ? `${formatRatio(costOf(result).bytes / time.median / 1e6)} GB/s` : share,
    timeText(time.median),
    samples.length > 1 ? `± ${shareText(spreadOf(time))}` : '',
    scratch_bytes === 0 ? 'none' : formatBytes(scratch_bytes),
  ];
}

function marksOf(ceilings: RaceCeilings, entries: readonly RaceEntry[]) {
  const builds = new Set(entries.filter(({ fate }) => fate === 'timed').map(({ build }) => build));
  return (['simd', 'relaxed', 'threads'] as const).flatMap((kind) => {
    const at = ceilings[kind];
    return at !== null && builds.has(kind) ? [{ name: `${BUILD_NAMES[kind]} ${formatRatio(at)}`, at }] : [];
  });
}

export const PASS_NAMES: Readonly<Record<Pass, string>> = {
  forward: 'y (forward)',
  backward_data: 'dx (gradient of x)',
  backward_weights: 'dw (gradient of w)',
  backward_bias: 'db (gradient of b)',
};

/** 12.3 ms, 4.5 µs. */
function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${formatRatio(milliseconds / 1000)} s`;
  return milliseconds >= 1 ? `${formatRatio(milliseconds)} ms` : `${formatRatio(milliseconds * 1000)} µs`;
}

export const lengthText = (seconds: number): string =>
  seconds < 90 ? `${Math.max(5, 5 * Math.round(seconds / 5))} seconds` : `${Math.round(seconds / 60)} minutes`;

/** Half the interquartile range, relative to the median. */
const spreadOf = ({ median, low, high }: Summary): number => (high - low) / 2 / median;

const shareText = (share: number): string => `${share < 0.095 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;

/** Billions of floating-point operations per second. */
export const gigaflops = (flops: number, milliseconds: number): number => flops / milliseconds / 1e6;

/** Whether the interquartile ranges do not overlap. */
export const isClear = (a: Summary, b: Summary): boolean => a.high < b.low || b.high < a.low;

/** A larger relative spread gets a warning. */
const MOST_SPREAD = 0.5;

/** Warning if the order of the fastest two is uncertain; else null. */
export function noiseWarning({ entries }: RaceResult): string | null {
  const [first, second] = entries
    .flatMap(({ samples }) => (samples.length > 1 ? (summaryOf(samples) ?? []) : []))
    .sort((a, b) => a.median - b.median);
  if (!first) return null;
  const spread = Math.max(spreadOf(first), second && !isClear(first, second) ? spreadOf(second) : 0);
  const again = 'Close other programs and race again.';
  if (second && !isClear(first, second)) {
    const lead = shareText(second.median / first.median - 1);
    return `The two fastest differ by ${lead}, but their times vary by ± ${shareText(spread)}. ${again}`;
  }
  return spread > MOST_SPREAD ? `The times of the fastest vary by ± ${shareText(spread)}. ${again}` : null;
}

/** Display name of an entry such as "loops:formula". */
function nameText({ id, algorithm, build, threads }: RaceEntry): string {
  const what = id.slice(build.length + 1);
  if (build === 'loops') return LOOPS[what] ?? what;
  const on = build === 'threads' && algorithm !== '' ? ` (${threads} used)` : '';
  const name = `${what || 'the library’s choice'}, ${BUILD_NAMES[build]}${on}`;
  return what === '' && algorithm !== '' ? `${name}: ${algorithm}` : name;
}

const LOOPS: Readonly<Record<string, string>> = {
  formula: 'plain loops',
  filters_last: 'plain loops, filters innermost',
};

const BUILD_NAMES = { simd: 'SIMD', relaxed: 'relaxed SIMD', threads: 'threads' } as const;

/** GFLOP/s at the median and the quartiles of the samples of a task. */
function speedsOf(task: RaceTask, samples: readonly number[]) {
  const time = summaryOf(samples);
  const at = (milliseconds: number) => gigaflops(costOf(task).flops, milliseconds);
  return time && { time, low: at(time.high), middle: at(time.median), high: at(time.low) };
}

/** "28 × 28, 128 channels, 128 filters of 3 × 3" */
function sizesText({ desc: d }: RaceTask): string {
  const more = [
    d.stride_h * d.stride_w > 1
      ? `stride ${d.stride_h === d.stride_w ? d.stride_h : `${d.stride_h}, ${d.stride_w}`}`
      : [],
    d.dilation_h * d.dilation_w > 1 ? `dilation ${d.dilation_h}` : [],
    d.groups > 1 ? `${d.groups} groups` : [],
  ].flat();
  const images = d.n === 1 ? '' : `${d.n} images of `;
  return [`${images}${d.h} × ${d.w}, ${d.c} channels`, `${d.k} filters of ${d.kh} × ${d.kw}`, ...more].join(', ');
}
