import { Plot, type PlotData } from './Plot';
import { linearAxis, linearAxisAround, logAxis } from './scales';

interface CurvePlotProps extends PlotData {
  /** The end of the x axis, which starts at 0. All series have the same x values, ascending. */
  readonly until: number;
  readonly height: number;
  readonly logarithmic: boolean;
  /** Up to 4 series with colors of their own and a legend; otherwise all look the same. */
  readonly named?: boolean;
  /** Target values: a horizontal line, or marks at the right end if there are several. */
  readonly goals?: readonly number[];
  readonly onChoose: (x: number) => void;
}

const EDGE = { top: 8, right: 20, bottom: 36, left: 58 };
/** Distance between two labels of the y axis, at least. */
const LINE = 15;
/** Maximum number of rows of the table. */
const MOST_ROWS = 12;

/** Curves over steps: a linear x axis and a linear or logarithmic y axis. */
export function CurvePlot({ until, logarithmic, named = false, goals = [], onChoose, ...plot }: CurvePlotProps) {
  const { series, height } = plot;
  const ys = [...series.flatMap(({ points }) => points.map(({ y }) => y)), ...goals];
  const lines = Math.floor((height - EDGE.top - EDGE.bottom) / LINE);
  const y = logarithmic
    ? logAxis(ys, Math.max(2, Math.min(6, lines)))
    : linearAxisAround([0, ...ys], Math.max(2, height / 45));
  const xs = series[0]?.points.map((point) => point.x) ?? [];
  const styleOf = (i: number) => (named ? `plot__series--${i}` : 'plot__curve');
  const every = Math.max(1, Math.ceil(xs.length / MOST_ROWS));
  return (
    <Plot
      {...plot}
      edge={EDGE}
      axes={(width) => ({
        x: linearAxis(0, until, until / (width < 360 ? 2 : 4), (x) => x.toLocaleString('en')),
        y,
      })}
      legend={named && { at: xs.at(-1) ?? 0 }}
      // The first, the last, and some in between.
      rows={xs.filter((_, i) => i % every === 0 || i === xs.length - 1)}
      onPoint={(share) => onChoose(Math.max(0, Math.min(until, Math.round(share * until))))}
    >
      {(area) => (
        <>
          {goals.map((goal) => (
            <path
              key={goal}
              class="plot__goal"
              d={`M${series.length > 1 ? area.right - 12 : EDGE.left} ${area.y(goal)}H${area.right}`}
            />
          ))}
          {series.map(({ name, points }, i) => (
            <path key={name} class={`plot__line ${styleOf(i)}`} d={area.line(points)} />
          ))}
          {series.map(({ name, points }, i) => {
            const last = points.at(-1);
            const shown = last && area.isOn(last.y);
            return (
              shown && (
                <circle key={name} class={`plot__dot ${styleOf(i)}`} cx={area.x(last.x)} cy={area.y(last.y)} r={3.5} />
              )
            );
          })}
        </>
      )}
    </Plot>
  );
}
