import './plot.css';
import './log-log.css';
import { useRef } from 'preact/hooks';
import { formatScientific, powerOfTen } from '../quantities';
import { useWidth } from '../use-size';
import { axisAround, isPlottable, type LogAxis, shareOf, ticksOf } from './log-axis';
import { PlotTable } from './PlotTable';
import type { Point, Series } from './series';

export interface LogLogSeries extends Series {
  /** The style of points and lines. */
  readonly kind: string;
  /** Points are joined by lines. */
  readonly joined: boolean;
  readonly dashed?: boolean;
  /** Hue in degrees, for one of many series of a kind. */
  readonly hue?: number;
}

interface LogLogPlotProps {
  readonly label: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly LogLogSeries[];
  /** Upper bounds, with their names at the right end. */
  readonly roofs?: readonly Series[];
  /** x positions that the text below the plot refers to: a vertical line with a number on top. */
  readonly marks?: readonly { readonly at: number; readonly name: string }[];
  /** The x values with a label; null: powers of ten. */
  readonly xs: readonly number[] | null;
}

const HEIGHT = 320;
const EDGE = { top: 20, right: 14, bottom: 40, left: 52 };

/** Width of a roof's name: names of roofs that are close together are side by side. */
const ROOF_NAME = 90;

/** Points and lines with two logarithmic axes, and optional upper bounds (roofs). */
export function LogLogPlot({ label, xLabel, yLabel, series, roofs = [], marks = [], xs }: LogLogPlotProps) {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const points = [...series, ...roofs].flatMap((each) => each.points);
  const [xAxis, yAxis] = [rangeOf(points.map(({ x }) => x)), axisAround(points.map(({ y }) => y))];
  const [floor, right] = [HEIGHT - EDGE.bottom, width - EDGE.right];
  const atX = (x: number) => EDGE.left + shareOf(xAxis, x) * (right - EDGE.left);
  const atY = (y: number) => floor - shareOf(yAxis, y) * (floor - EDGE.top);
  const xTicks = xs ?? ticksOf({ first: Math.ceil(xAxis.first), last: Math.floor(xAxis.last) }, 8).map((e) => 10 ** e);
  const kinds = [...new Map(series.map((each) => [`${each.kind}${each.dashed}${each.name}`, each])).values()];
  const table = [...new Set(series.flatMap((each) => each.points.map(({ x }) => x)))].sort((a, b) => a - b);
  return (
    <figure class="plot" ref={element}>
      <ul class="plot__legend">
        {kinds.map((each) => (
          <li key={each.name} class={classOf(each)} style={styleOf(each)}>
            <svg width="26" height="14" aria-hidden="true">
              {each.joined && <path class={lineClass(each)} d="M1 7H25" />}
              <Dot kind={each.kind} x={13} y={7} />
            </svg>
            {each.name}
          </li>
        ))}
      </ul>
      {width > EDGE.left + EDGE.right && (
        <svg class="plot__picture log-log" width={width} height={HEIGHT} role="img" aria-label={label}>
          <g class="plot__axes">
            {ticksOf(yAxis, 7).map((exponent) => (
              <g key={exponent}>
                <path class="plot__grid" d={`M${EDGE.left} ${atY(10 ** exponent)}H${right}`} />
                <text x={EDGE.left - 6} y={atY(10 ** exponent) + 4} text-anchor="end">
                  {powerOfTen(exponent)}
                </text>
              </g>
            ))}
            {xTicks.map((x) => (
              <g key={x}>
                <path class="plot__grid" d={`M${atX(x)} ${floor}v4`} />
                <text x={atX(x)} y={floor + 17} text-anchor="middle">
                  {formatScientific(x, 3)}
                </text>
              </g>
            ))}
            <path class="plot__frame" d={`M${EDGE.left} ${EDGE.top}V${floor}H${right}`} />
            <text class="plot__label" x={(EDGE.left + right) / 2} y={HEIGHT - 5} text-anchor="middle">
              {xLabel}
            </text>
            <text
              class="plot__label"
              transform={`translate(10 ${(EDGE.top + floor) / 2}) rotate(-90)`}
              text-anchor="middle"
            >
              {yLabel}
            </text>
          </g>
          {roofs.map(({ name, points: corners }) => (
            <path key={name} class="log-log__roof" d={lineOf(corners, atX, atY)} />
          ))}
          {marks.map(({ at, name }) => (
            <g key={`${name} ${at}`} class="plot__axes">
              <path class="log-log__mark" d={`M${atX(at)} ${EDGE.top}V${floor}`} />
              <text x={atX(at)} y={EDGE.top - 6} text-anchor="middle">
                {name}
              </text>
            </g>
          ))}
          {series.map((each) => (
            <g key={each.name} class={classOf(each)} style={styleOf(each)}>
              {each.joined && <path class={lineClass(each)} d={lineOf(each.points, atX, atY)} />}
              {each.points
                .filter(({ y }) => isPlottable(y))
                .map(({ x, y, name }, i) => (
                  <g key={`${i} ${x}`}>
                    {name && <title>{`${name}, ${each.name}: ${formatScientific(y, 3)} ${yLabel}`}</title>}
                    <Dot kind={each.kind} x={atX(x)} y={atY(y)} />
                  </g>
                ))}
            </g>
          ))}
          <g class="plot__axes">
            {roofs.map(({ name, points: corners }, i) => {
              const last = corners.at(-1);
              return (
                last && (
                  <text
                    key={name}
                    class="log-log__name"
                    x={atX(last.x) - i * ROOF_NAME}
                    y={atY(last.y) - 5}
                    text-anchor="end"
                  >
                    {name}
                  </text>
                )
              );
            })}
            {namesOf(series).map(({ name, x, y }) => (
              <text key={name} class="log-log__name" x={atX(x)} y={atY(y) - 8} text-anchor="middle">
                {name}
              </text>
            ))}
          </g>
        </svg>
      )}
      <PlotTable label={label} xLabel={xLabel} series={series} xs={table} />
    </figure>
  );
}

/** Maximum number of names: more would overlap. */
const MOST_NAMES = 8;

/** The highest point of each name. */
function namesOf(series: readonly LogLogSeries[]): readonly Point[] {
  const highest = new Map<string, Point>();
  for (const point of series.flatMap(({ points }) => points)) {
    const { name, y } = point;
    if (name && isPlottable(y) && y > (highest.get(name)?.y ?? 0)) highest.set(name, point);
  }
  return highest.size > MOST_NAMES ? [] : [...highest.values()];
}

const classOf = ({ kind, hue }: LogLogSeries) => `plot__key log-log--${hue === undefined ? kind : 'many'}`;
const styleOf = ({ hue }: LogLogSeries) => (hue === undefined ? {} : { '--hue': String(hue) });
const lineClass = ({ dashed }: LogLogSeries) => (dashed ? 'plot__line log-log__line--dashed' : 'plot__line');

/** The range of the values with a small margin: whole decades would leave most of the axis empty. */
function rangeOf(values: readonly number[]): LogAxis {
  const exponents = values.filter(isPlottable).map(Math.log10);
  const [low, high] = exponents.length > 0 ? [Math.min(...exponents), Math.max(...exponents)] : [0, 1];
  const room = Math.max(0.05, (high - low) * 0.04);
  return { first: low - room, last: high + room };
}

function Dot({ kind, x, y }: { readonly kind: string; readonly x: number; readonly y: number }) {
  if (kind === 'loops') return <path class="plot__dot" d={`M${x - 4} ${y - 4}h8v8h-8z`} />;
  if (kind === 'simd') return <path class="plot__dot" d={`M${x} ${y - 5}l5 9h-10z`} />;
  if (kind === 'threads') return <path class="plot__dot" d={`M${x} ${y - 5}l5 5l-5 5l-5 -5z`} />;
  return <circle class="plot__dot" cx={x} cy={y} r={4} />;
}

function lineOf(points: readonly Point[], atX: (x: number) => number, atY: (y: number) => number): string {
  let drawing = false;
  return points
    .map(({ x, y }) => {
      const there = isPlottable(y);
      const command = there ? (drawing ? 'L' : 'M') : '';
      drawing = there;
      return there ? `${command}${atX(x).toFixed(1)} ${atY(y).toFixed(1)}` : '';
    })
    .join('');
}
