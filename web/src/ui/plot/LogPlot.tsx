import './plot.css';
import { useRef } from 'preact/hooks';
import { formatScientific, powerOfTen } from '../quantities';
import { useWidth } from '../use-size';
import { Axes, lineOf, type Tick } from './Axes';
import { axisAround, isPlottable, type LogAxis, shareOf, ticksOf } from './log-axis';
import { PlotTable } from './PlotTable';
import type { Point, Series } from './series';

export interface LogPlotProps {
  /** The accessible name of the plot and the caption of the table. */
  readonly label: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** One or two; they differ in color, point shape and line style. */
  readonly series: readonly Series[];
  /** The selected x: a vertical line, and its values in the legend. */
  readonly chosen: number;
  readonly onChoose: (x: number) => void;
  /** In CSS pixels. */
  readonly height?: number;
}

const HEIGHT = 270;
/** Height of the labels of the x axis; least height between two labels of the y axis. */
const LABELS = 40;
const BETWEEN = 24;
const EDGE = { top: 10, right: 12, left: 72 };
/** Distance from the lowest decade to the line for zeros. */
const ZERO_BAND = 30;

/** A plot with two logarithmic axes. Zeros are on a separate line below the lowest decade. */
export function LogPlot(props: LogPlotProps) {
  const { label, xLabel, yLabel, series, chosen, onChoose, height = HEIGHT } = props;
  const floor = height - LABELS;
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const frame = frameOf(width, floor, series, xs);
  return (
    <figure class="plot" ref={element}>
      <ul class="plot__legend">
        {series.map(({ name, points }, i) => (
          <li key={name} class={`plot__key plot__series--${i}`}>
            <svg width="34" height="14" aria-hidden="true">
              <path class="plot__line" d="M1 7H33" />
              <Dot kind={i} x={17} y={7} large={false} />
            </svg>
            {name}
            <span class="plot__value">{valueAt(points, chosen)}</span>
          </li>
        ))}
      </ul>
      {width > 0 && (
        <svg
          class="plot__picture"
          width={width}
          height={height}
          role="img"
          aria-label={label}
          // The slider beside the plot does the same by keyboard.
          onPointerDown={(event) => {
            const near = nearest(xs, frame.x, event.offsetX);
            if (near !== null) onChoose(near);
          }}
          onPointerMove={(event) => {
            const near = event.buttons === 1 ? nearest(xs, frame.x, event.offsetX) : null;
            if (near !== null && near !== chosen) onChoose(near);
          }}
        >
          <Axes
            box={{ ...EDGE, right: width - EDGE.right, floor, height }}
            xTicks={ticksOf(frame.xAxis, width < 480 ? 6 : 11).map((exponent) => tickOf(exponent, frame.x))}
            yTicks={ticksOf(frame.yAxis, Math.min(7, Math.max(2, Math.floor(height / BETWEEN) - 2))).map((exponent) =>
              tickOf(exponent, frame.y),
            )}
            zero={frame.zeros ? { at: frame.y(0), text: 'exactly 0' } : null}
            xLabel={xLabel}
            yLabel={yLabel}
          />
          <path class="plot__chosen" d={`M${frame.x(chosen)} ${EDGE.top}V${floor}`} />
          {series.map(({ name, points }, i) => (
            <g key={name} class={`plot__series--${i}`}>
              <path class="plot__line" d={lineOf(points, isOnAxis, frame.x, frame.y)} />
              {points.map(
                ({ x, y }) =>
                  isOnAxis(y) && <Dot key={x} kind={i} x={frame.x(x)} y={frame.y(y)} large={x === chosen} />,
              )}
            </g>
          ))}
        </svg>
      )}
      <PlotTable label={label} xLabel={xLabel} series={series} xs={xs} />
    </figure>
  );
}

interface PlotArea {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly xAxis: LogAxis;
  readonly yAxis: LogAxis;
  readonly zeros: boolean;
}

function frameOf(width: number, floor: number, series: readonly Series[], xs: readonly number[]): PlotArea {
  const ys = series.flatMap(({ points }) => points.map(({ y }) => y));
  const zeros = ys.includes(0);
  const [xAxis, yAxis] = [axisAround(xs), axisAround(ys)];
  const lowest = zeros ? floor - ZERO_BAND : floor;
  return {
    xAxis,
    yAxis,
    zeros,
    x: (value) => EDGE.left + shareOf(xAxis, value) * (width - EDGE.left - EDGE.right),
    y: (value) => (value === 0 ? floor - 8 : lowest - shareOf(yAxis, value) * (lowest - EDGE.top)),
  };
}

/** The label of a power of ten. */
const tickOf = (exponent: number, place: (value: number) => number): Tick => ({
  at: place(10 ** exponent),
  text: powerOfTen(exponent),
});

const isOnAxis = (y: number): boolean => isPlottable(y) || y === 0;

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

function valueAt(points: readonly Point[], chosen: number): string {
  const point = points.find(({ x }) => x === chosen);
  return point ? formatScientific(point.y, 2) : '';
}

function nearest(xs: readonly number[], place: (x: number) => number, at: number): number | null {
  const distance = (x: number) => Math.abs(place(x) - at);
  return xs.reduce<number | null>((best, x) => (best === null || distance(x) < distance(best) ? x : best), null);
}
