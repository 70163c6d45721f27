import './plot.css';
import './log-log.css';
import { useRef } from 'preact/hooks';
import { formatScientific, powerOfTen } from '../quantities';
import { useWidth } from '../use-size';
import { axisAround, isPlottable, type LogAxis, shareOf, ticksOf } from './log-axis';
import { PlotTable } from './PlotTable';
import type { Point, Series } from './series';

export interface LogLogSeries extends Series {
  /** Which of a few looks its points and lines have. */
  readonly kind: string;
  /** Points alone, or joined. */
  readonly joined: boolean;
  readonly dashed?: boolean;
  /** Degrees round the circle of hues, for who is one of many of a kind. */
  readonly hue?: number;
}

interface LogLogPlotProps {
  readonly label: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly LogLogSeries[];
  /** Lines that bound what is possible, with their names at the right end. */
  readonly roofs?: readonly Series[];
  /** Places that are spoken of below the plot: a line upwards, and a number at its top. */
  readonly marks?: readonly { readonly at: number; readonly name: string }[];
  /** The x that have a label; null: powers of ten. */
  readonly xs: readonly number[] | null;
}

const HEIGHT = 320;
const EDGE = { top: 20, right: 14, bottom: 40, left: 52 };

/** Names of roofs that lie close together stand side by side. */
const ROOF_NAME = 90;

/** Points and lines over a positive variable, both axes logarithmic; above all of it there may be roofs. */
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
          {roofs.map(({ name, points: corners }, i) => {
            const last = corners.at(-1);
            return (
              <g key={name} class="plot__axes">
                <path class="log-log__roof" d={lineOf(corners, atX, atY)} />
                {last && (
                  <text x={atX(last.x) - i * ROOF_NAME} y={atY(last.y) - 5} text-anchor="end">
                    {name}
                  </text>
                )}
              </g>
            );
          })}
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
                .map(({ x, y }, i) => (
                  <Dot key={`${i} ${x}`} kind={each.kind} x={atX(x)} y={atY(y)} />
                ))}
            </g>
          ))}
        </svg>
      )}
      <PlotTable label={label} xLabel={xLabel} series={series} xs={table} />
    </figure>
  );
}

const classOf = ({ kind, hue }: LogLogSeries) => `plot__key log-log--${hue === undefined ? kind : 'many'}`;
const styleOf = ({ hue }: LogLogSeries) => (hue === undefined ? {} : { '--hue': String(hue) });
const lineClass = ({ dashed }: LogLogSeries) => (dashed ? 'plot__line log-log__line--dashed' : 'plot__line');

/** As wide as what is drawn, with a little room: whole decades would leave most of it empty. */
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
