import './plot.css';
import { useRef } from 'preact/hooks';
import { formatScientific, powerOfTen } from '../quantities';
import { Axes, lineOf, PlotTable, type Series, type Tick, useWidth } from './Plot';
import { axisAround, isPlottable, linearAxisAround, shareOf, shareOfLinear, ticksOf, ticksOfLinear } from './scales';

interface CurvePlotProps {
  /** The accessible name of the plot and the caption of the table. */
  readonly label: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** All with the same x values, ascending. */
  readonly series: readonly Series[];
  /** The end of the x axis, which starts at 0. */
  readonly until: number;
  readonly height: number;
  readonly logarithmic: boolean;
  /** Target values: a horizontal line, or marks at the right end if there are several. */
  readonly goals?: readonly number[];
  /** Selects a step by pointer; the slider beside the plot does it by keyboard. */
  readonly onChoose: (x: number) => void;
}

const EDGE = { top: 8, right: 14, bottom: 36, left: 58 };
/** Maximum number of rows of the table. */
const MOST_ROWS = 12;

/** Curves over steps: a linear x axis and a linear or logarithmic y axis. */
export function CurvePlot(props: CurvePlotProps) {
  const { label, xLabel, yLabel, series, until, height, logarithmic, goals = [], onChoose } = props;
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const ys = [...series.flatMap(({ points }) => points.map(({ y }) => y)), ...goals];
  const [floor, right] = [height - EDGE.bottom, width - EDGE.right];
  const isOnAxis = logarithmic ? isPlottable : Number.isFinite;
  const { share, ticks } = logarithmic ? logScale(ys) : linearScale(ys, height);
  const xAxis = { first: 0, last: until, step: until / (width < 360 ? 2 : 4) };
  const atX = (x: number) => EDGE.left + shareOfLinear(xAxis, x) * (right - EDGE.left);
  const atY = (y: number) => floor - share(y) * (floor - EDGE.top);
  const choose = (offset: number) => {
    const wanted = Math.round(((offset - EDGE.left) / Math.max(1, right - EDGE.left)) * until);
    onChoose(Math.max(0, Math.min(until, wanted)));
  };
  return (
    <figure class="plot" ref={element}>
      {width > EDGE.left + EDGE.right && (
        <svg
          class="plot__picture"
          width={width}
          height={height}
          role="img"
          aria-label={label}
          onPointerDown={(event) => choose(event.offsetX)}
          onPointerMove={(event) => {
            if (event.buttons === 1) choose(event.offsetX);
          }}
        >
          <Axes
            box={{ left: EDGE.left, right, top: EDGE.top, floor, height }}
            xTicks={ticksOfLinear(xAxis).map((x) => ({ at: atX(x), text: x.toLocaleString('en') }))}
            yTicks={ticks.map(({ at, text }) => ({ at: atY(at), text }))}
            xLabel={xLabel}
            yLabel={yLabel}
          />
          {goals.map((goal) => (
            <path
              key={goal}
              class="plot__goal"
              d={`M${series.length > 1 ? right - 12 : EDGE.left} ${atY(goal)}H${right}`}
            />
          ))}
          {series.map(({ name, points }) => (
            <path key={name} class="plot__line plot__curve" d={lineOf(points, isOnAxis, atX, atY)} />
          ))}
          {series.map(({ name, points }) => {
            const last = points.at(-1);
            const shown = last && isOnAxis(last.y);
            return (
              shown && <circle key={name} class="plot__dot plot__curve" cx={atX(last.x)} cy={atY(last.y)} r={3.5} />
            );
          })}
        </svg>
      )}
      <PlotTable label={label} xLabel={xLabel} series={series} xs={someOf(series[0]?.points.map(({ x }) => x) ?? [])} />
    </figure>
  );
}

interface Scale {
  /** 0..1 from the lower end to the upper. */
  readonly share: (value: number) => number;
  /** By value, not in pixels. */
  readonly ticks: readonly Tick[];
}

function logScale(ys: readonly number[]): Scale {
  const axis = axisAround(ys);
  return {
    share: (value) => shareOf(axis, value),
    ticks: ticksOf(axis, 6).map((exponent) => ({ at: 10 ** exponent, text: powerOfTen(exponent) })),
  };
}

function linearScale(ys: readonly number[], height: number): Scale {
  const axis = linearAxisAround([0, ...ys], Math.max(2, height / 45));
  return {
    share: (value) => shareOfLinear(axis, value),
    ticks: ticksOfLinear(axis).map((at) => ({ at, text: formatScientific(at, 3) })),
  };
}

/** The first, the last, and some in between. */
function someOf(xs: readonly number[]): readonly number[] {
  const every = Math.max(1, Math.ceil(xs.length / MOST_ROWS));
  return xs.filter((_, i) => i % every === 0 || i === xs.length - 1);
}
