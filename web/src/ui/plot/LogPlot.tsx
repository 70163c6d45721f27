import { Plot, type PlotData } from './Plot';
import { type Axis, logAxis } from './scales';

/** One or two series; they differ in color, point shape and line style. */
interface LogPlotProps extends PlotData {
  /** The selected x: a vertical line, and its values in the legend. */
  readonly chosen: number;
  readonly onChoose: (x: number) => void;
  /** In CSS pixels. */
  readonly height?: number;
}

const HEIGHT = 270;
const EDGE = { top: 10, right: 12, bottom: 40, left: 72 };
/** Least height between two labels of the y axis. */
const BETWEEN = 24;
/** Distances from the x axis: of the lowest decade, if there are zeros, and of their line. */
const ZERO_BAND = 30;
const ZERO_LINE = 8;

/** A plot with two logarithmic axes. Zeros are on a separate line below the lowest decade. */
export function LogPlot({ chosen, onChoose, height = HEIGHT, ...plot }: LogPlotProps) {
  const { series } = plot;
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const y = withZeros(
    series.flatMap(({ points }) => points.map((point) => point.y)),
    height,
  );
  const choose = (share: number) => {
    const { share: shareOf } = logAxis(xs, 0);
    const distance = (x: number) => Math.abs(shareOf(x) - share);
    const near = xs.reduce((best, x) => (distance(x) < distance(best) ? x : best), xs[0] ?? chosen);
    if (near !== chosen) onChoose(near);
  };
  return (
    <Plot
      {...plot}
      height={height}
      edge={EDGE}
      axes={(width) => ({ x: logAxis(xs, width < 480 ? 6 : 11), y })}
      rows={xs}
      onPoint={choose}
      legend={{ at: chosen, dot: (kind) => <Dot kind={kind} x={17} y={7} large={false} /> }}
    >
      {(area) => (
        <>
          <path class="plot__chosen" d={`M${area.x(chosen)} ${area.top}V${area.floor}`} />
          {series.map(({ name, points }, i) => (
            <g key={name} class={`plot__series--${i}`}>
              <path class="plot__line" d={area.line(points)} />
              {points.map(
                ({ x, y }) => area.isOn(y) && <Dot key={x} kind={i} x={area.x(x)} y={area.y(y)} large={x === chosen} />,
              )}
            </g>
          ))}
        </>
      )}
    </Plot>
  );
}

/** A logarithmic axis with a line for zeros, if there are any. */
function withZeros(ys: readonly number[], height: number): Axis {
  const inside = height - EDGE.top - EDGE.bottom;
  const axis = logAxis(ys, Math.min(7, Math.max(2, Math.floor(height / BETWEEN) - 2)));
  if (!ys.includes(0)) return axis;
  const band = ZERO_BAND / inside;
  return {
    share: (value) => (value === 0 ? ZERO_LINE / inside : band + axis.share(value) * (1 - band)),
    ticks: [...axis.ticks, { value: 0, text: 'exactly 0' }],
    isOn: (value) => value === 0 || axis.isOn(value),
    zero: 0,
  };
}

interface DotProps {
  readonly kind: number;
  readonly x: number;
  readonly y: number;
  readonly large: boolean;
}

function Dot({ kind, x, y, large }: DotProps) {
  const r = large ? 5.5 : 3;
  return kind === 0 ? (
    <circle class="plot__dot" cx={x} cy={y} r={r} />
  ) : (
    <path class="plot__dot" d={`M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`} />
  );
}
