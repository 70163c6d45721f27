import type { Pass } from '../../protocol/problem';
import type { RaceResult } from '../../protocol/race';
import { LogLogPlot, type LogLogSeries } from '../../ui/plot/LogLogPlot';
import { type Crossover, changesOfLead, crossoversOf, type Track } from './crossovers';
import { PASS_NAMES } from './format';
import { nameOfEntry } from './record';
import { summaryOf } from './statistics';
import type { Sweep } from './sweep';

interface SweepPlotProps {
  readonly sweep: Sweep;
  readonly pass: Pass;
  /** One result per value of the sweep. */
  readonly results: readonly RaceResult[];
}

/** Time per run over the varied size, with the crossovers. */
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
        label={`Milliseconds per run of ${PASS_NAMES[pass]} over the ${sweep.axis}`}
        xLabel={sweep.axis}
        yLabel="ms per run"
        series={series}
        marks={leads.map(({ at }, i) => ({ at, name: String(i + 1) }))}
        xs={results.map(({ name }) => Number(name))}
      />
      <p class="race__sizes">
        {leads.length > 0
          ? 'Where the fastest algorithm changes:'
          : 'The fastest algorithm does not change over this range (differences within noise are ignored).'}
      </p>
      <CrossoverList crossovers={leads} numbered />
      {crossovers.length > leads.length && (
        <details class="race__more">
          <summary>All {crossovers.length} crossovers</summary>
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
