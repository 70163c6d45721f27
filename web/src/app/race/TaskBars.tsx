import type { RaceCeilings, RaceEntry, RaceResult } from '../../protocol/race';
import { type Bar, BarTable } from '../../ui/plot/BarTable';
import { formatBytes } from '../../ui/quantities';
import { nameOfEntry } from './record';
import { memoryText, PASS_NAMES, shareText, sizesText, speedsOf, speedText, spreadText, timeText } from './words';

interface TaskBarsProps {
  readonly result: RaceResult;
  readonly ceilings: RaceCeilings;
  /** The same race elsewhere. */
  readonly other: RaceResult | null;
}

const HEADINGS = ['GFLOP/s', 'of its ceiling', 'one run', 'spread', 'with new w', 'extra memory'];

/** One race: everybody's speed, fastest first within the order of the list. */
export function TaskBars({ result, ceilings, other }: TaskBarsProps) {
  const { name, pass, flops, x_col_bytes, refusal, entries } = result;
  const title = name === 'this problem' ? `This problem, ${PASS_NAMES[pass]}` : `${name}, ${PASS_NAMES[pass]}`;
  const marks = pass === 'backward_bias' ? [] : marksOf(ceilings, entries);
  const theirs = (id: string) => {
    const entry = other?.entries.find((each) => each.id === id);
    return entry && other ? speedsOf(other, entry) : null;
  };
  return (
    <section class="race__task">
      <h3>{title}</h3>
      <p class="race__sizes">
        {sizesText(result)}. {(flops / 1e6).toPrecision(3)} million operations
        {pass !== 'backward_bias' && <>; the whole x_col would be {formatBytes(x_col_bytes)}</>}.
      </p>
      {refusal !== '' ? (
        <p>Not raced: {refusal}.</p>
      ) : (
        <BarTable
          caption={marks.length === 0 ? '' : `Dashed: ceilings, ${marks.map((mark) => mark.name).join(', ')} GFLOP/s`}
          unit={other ? 'here; below, hatched: theirs' : ''}
          headings={other ? [...HEADINGS.slice(0, 3), 'theirs', ...HEADINGS.slice(3)] : HEADINGS}
          marks={marks}
          bars={entries.map((entry): Bar => {
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
            const with_theirs = [
              ...cells.slice(0, 3),
              elsewhere ? timeText(elsewhere.time.median) : '',
              ...cells.slice(3),
            ];
            return { ...common, value: speeds, cells: other ? with_theirs : cells };
          })}
        />
      )}
    </section>
  );
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

/** Of the build's own; that of one thread where the work was too small to be divided. db is a sum: its limit is memory. */
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
