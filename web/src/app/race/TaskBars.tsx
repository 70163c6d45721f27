import type { RaceCeilings, RaceEntry, RaceResult } from '../../protocol/race';
import { type Bar, BarTable, reachOf } from '../../ui/plot/BarTable';
import { formatBytes, formatRatio } from '../../ui/quantities';
import {
  memoryText,
  noiseWarning,
  PASS_NAMES,
  shareText,
  sizesText,
  speedsOf,
  speedText,
  spreadText,
  timeText,
} from './format';
import { nameOfEntry } from './record';

interface TaskBarsProps {
  readonly result: RaceResult;
  readonly ceilings: RaceCeilings;
  /** The same race on another device. */
  readonly other: RaceResult | null;
}

const HEADINGS = ['GFLOP/s', 'of peak', 'time per run', 'spread', 'with packing', 'extra memory'];

/** One race: the speed of every implementation. */
export function TaskBars({ result, ceilings, other }: TaskBarsProps) {
  const { name, pass, flops, x_col_bytes, refusal, entries } = result;
  const title = name === 'this problem' ? `This problem, ${PASS_NAMES[pass]}` : `${name}, ${PASS_NAMES[pass]}`;
  const marks = pass === 'backward_bias' ? [] : marksOf(ceilings, entries);
  const theirs = (id: string) => {
    const entry = other?.entries.find((each) => each.id === id);
    return entry && other ? speedsOf(other, entry) : null;
  };
  const bars = entries.map((entry): Bar => {
    const speeds = speedsOf(result, entry);
    const elsewhere = theirs(entry.id);
    const common = {
      key: entry.id,
      name: nameText(entry),
      kind: entry.build,
      other: elsewhere?.middle ?? null,
    };
    if (!speeds) return { ...common, value: null, cells: [], words: `Not timed: ${entry.reason}.` };
    const cells = cellsOf(result, entry, ceilings, speeds);
    const with_theirs = [...cells.slice(0, 3), elsewhere ? timeText(elsewhere.time.median) : '', ...cells.slice(3)];
    return { ...common, value: speeds, cells: other ? with_theirs : cells };
  });
  const reach = reachOf(bars);
  const near = marks.filter(({ at }) => at <= reach);
  const far = marks.filter(({ at }) => at > reach);
  const fastest = Math.max(0, ...bars.map(({ value }) => value?.middle ?? 0));
  const doubt = refusal === '' ? noiseWarning(result) : null;
  return (
    <section class="race__task">
      <h3>{title}</h3>
      <p class="race__sizes">
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
          headings={other ? [...HEADINGS.slice(0, 3), 'other device', ...HEADINGS.slice(3)] : HEADINGS}
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
  return [
    near.length > 0 ? `Dashed: peak speeds, ${names(near)} GFLOP/s.` : [],
    far.length > 0
      ? `Beyond the longest bar: peak speeds, ${names(far)} GFLOP/s${Number.isFinite(times) ? `, ${formatRatio(Number(times.toPrecision(2)))} times the fastest` : ''}.`
      : [],
  ]
    .flat()
    .join(' ');
}

function nameText({ id, algorithm, build, threads }: RaceEntry): string {
  const name = nameOfEntry(id);
  const on = build === 'threads' && algorithm !== '' ? ` (${threads} used)` : '';
  return id === `${build}:` && algorithm !== '' ? `${name}${on}: ${algorithm}` : name;
}

function cellsOf(
  result: RaceResult,
  entry: RaceEntry,
  ceilings: RaceCeilings,
  { time, middle }: NonNullable<ReturnType<typeof speedsOf>>,
): readonly string[] {
  const unprepared = entry.unprepared && speedsOf(result, { ...entry, samples: entry.unprepared });
  return [
    speedText(middle),
    shareOfCeiling(result, entry, ceilings, middle, time.median),
    timeText(time.median),
    entry.samples.length > 1 ? spreadText(time) : '',
    unprepared ? timeText(unprepared.time.median) : '',
    memoryText(entry),
  ];
}

/** Relative to the peak of the build, or of one thread if the work was not divided. db is a sum, limited by memory: in GB/s. */
function shareOfCeiling(
  { pass, bytes }: RaceResult,
  { build, threads }: RaceEntry,
  ceilings: RaceCeilings,
  speed: number,
  milliseconds: number,
): string {
  if (pass === 'backward_bias') return `${speedText(bytes / milliseconds / 1e6)} GB/s`;
  const ceiling =
    build === 'loops' ? ceilings.simd : build === 'threads' && threads === 1 ? ceilings.relaxed : ceilings[build];
  return ceiling === null ? '' : shareText(speed / ceiling);
}

const MARKS = { simd: 'SIMD', relaxed: 'relaxed SIMD', threads: 'threads' } as const;

function marksOf(ceilings: RaceCeilings, entries: readonly RaceEntry[]) {
  const builds = new Set(entries.filter(({ fate }) => fate === 'timed').map(({ build }) => build));
  return (['simd', 'relaxed', 'threads'] as const).flatMap((kind) => {
    const at = ceilings[kind];
    return at !== null && builds.has(kind) ? [{ name: `${MARKS[kind]} ${speedText(at)}`, at }] : [];
  });
}
