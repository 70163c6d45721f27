import type { Pass } from '../../protocol/problem';
import type { RaceResult } from '../../protocol/race';
import { LogLogPlot, type LogLogSeries } from '../../ui/plot/LogLogPlot';
import { type Crossover, changesOfLead, crossoversOf, type Track } from './crossovers';
import { nameOfEntry } from './record';
import { summaryOf } from './statistics';
import type { Sweep } from './sweep';
import { PASS_NAMES } from './words';

interface SweepPlotProps {
  readonly sweep: Sweep;
  readonly pass: Pass;
  /** One for each value of what is swept. */
  readonly results: readonly RaceResult[];
}

/** The time of a run over what is swept, and where one overtakes another. */
export function SweepPlot({ sweep, pass, results }: SweepPlotProps) {
  const tracks = tracksOf(results);
  const crossovers = crossoversOf(tracks);
  const leads = changesOfLead(tracks, crossovers);
  const named = tracks.map(({ id }) => id).filter((id) => !/^loops|:(im2col)?$/.test(id));
  const series = tracks.map(
    ({ id, points }): LogLogSeries => ({
      name: nameOfEntry(id),
      kind: id.split(':')[0] ?? '',
      joined: true,
      dashed: id.endsWith(':im2col') || id === 'loops:filters_last',
      ...(named.includes(id) ? { hue: (360 * named.indexOf(id)) / named.length } : {}),
      points: points.flatMap(({ x, time }) => (time ? [{ x, y: time.median }] : [])),
    }),
  );
  if (tracks.length === 0) return null;
  return (
    <section class="race__task">
      <h3>
        {PASS_NAMES[pass]}, over the {sweep.axis}
      </h3>
      <LogLogPlot
        label={`Milliseconds of a run of ${PASS_NAMES[pass]} over the ${sweep.axis}`}
        xLabel={sweep.axis}
        yLabel="ms a run"
        series={series}
        marks={leads.map(({ at }, i) => ({ at, name: String(i + 1) }))}
        xs={results.map(({ name }) => Number(name))}
      />
      <p class="race__sizes">
        {leads.length > 0
          ? 'Where another way becomes the fastest of all:'
          : 'Nobody who is clearly the fastest at one value is clearly overtaken at another: leads within the spread of the runs do not count.'}
      </p>
      <CrossoverList crossovers={leads} numbered />
      {crossovers.length > leads.length && (
        <details class="race__more">
          <summary>All {crossovers.length} places where one overtakes another</summary>
          <CrossoverList crossovers={crossovers} />
        </details>
      )}
    </section>
  );
}

function CrossoverList({ crossovers, numbered = false }: { crossovers: readonly Crossover[]; numbered?: boolean }) {
  const List = numbered ? 'ol' : 'ul';
  return (
    <List class="race__crossovers">
      {crossovers.map(({ faster, slower, between: [left, right], at }) => (
        <li key={`${faster} ${slower} ${left}`}>
          {nameOfEntry(faster)} overtakes {nameOfEntry(slower)} between {left} and {right}, at about{' '}
          {Number(at.toPrecision(2))}.
        </li>
      ))}
    </List>
  );
}

function tracksOf(results: readonly RaceResult[]): readonly Track[] {
  const ids = [
    ...new Set(results.flatMap(({ entries }) => entries.filter(({ fate }) => fate === 'timed').map(({ id }) => id))),
  ];
  return ids.map((id) => ({
    id,
    points: results.map(({ name, entries }) => ({
      x: Number(name),
      time: summaryOf(entries.find((entry) => entry.id === id)?.samples ?? []),
    })),
  }));
}
