import { formatScientific } from '../quantities';
import type { Series } from './series';

interface PlotTableProps {
  readonly label: string;
  readonly xLabel: string;
  readonly series: readonly Series[];
  readonly xs: readonly number[];
}

/** The values of a plot as a table, to read or copy. */
export function PlotTable({ label, xLabel, series, xs }: PlotTableProps) {
  return (
    <details class="plot__table">
      <summary>Show as table</summary>
      <table class="table">
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{xLabel}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {xs.map((x) => (
            <tr key={x}>
              <th scope="row">{formatScientific(x, 2)}</th>
              {series.map(({ name, points }) => {
                const point = points.find((entry) => entry.x === x);
                return <td key={name}>{point ? formatScientific(point.y, 3) : ''}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
