import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { observeSize } from '../observe-size';
import { formatScientific } from '../quantities';
import { Table } from '../Table';
import { type Axis, linearAxis, linearAxisAround, logAxis } from './scales';
import './plot.css';

type Point = Readonly<Record<'x' | 'y', number>>;

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** Margins around the drawn area, in CSS pixels. */
const CURVES = { top: 8, right: 20, bottom: 36, left: 58 };
const POINTS = { top: 10, right: 12, bottom: 40, left: 72 };
/** Least height between two labels of the y axis: of curves, and of points. */
const LINE = 15;
const BETWEEN = 24;
/** Maximum number of rows of the table of curves. */
const MOST_ROWS = 12;

/**
 * Up to 4 series over an axis, and their values as a table, to read or copy. With `until`: curves over steps, from 0 to there,
 * which have the same ascending x. Without it: points over a logarithmic x axis.
 */
export function Chart({
  label,
  xLabel,
  yLabel,
  series,
  height = 270,
  until,
  logarithmic = true,
  named = until === undefined,
  chosen,
  goals = [],
  onChoose,
}: {
  /** The accessible name of the plot and the caption of the table. */
  label: string;
  xLabel: string;
  yLabel: string;
  series: readonly Series[];
  height?: number;
  until?: number;
  /** The y axis is logarithmic. Zeros of points are on a separate line below the lowest decade. */
  logarithmic?: boolean;
  /** The series have dashes of their own and a legend; otherwise all look the same. Default: for points. */
  named?: boolean;
  /** The selected x: a vertical line, and its values in the legend. */
  chosen?: number;
  /** Target values: a horizontal line, or marks at the right end if there are several. */
  goals?: readonly number[];
  /** The x nearest to the pointer. The slider beside the plot does it by keyboard. */
  onChoose: (x: number) => void;
}) {
  const element = useRef<HTMLElement>(null);
  const width = useWidth(element);
  const isCurve = until !== undefined;
  const edge = isCurve ? CURVES : POINTS;
  const { left, top } = edge;
  const [right, floor] = [width - edge.right, height - edge.bottom];
  const xs = isCurve
    ? (series[0]?.points.map((point) => point.x) ?? [])
    : [...new Set(series.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b);
  const ys = [...series.flatMap(({ points }) => points.map((point) => point.y)), ...goals];
  const x = isCurve
    ? linearAxis(0, until, until / (width < 360 ? 2 : 4), (value) => value.toLocaleString('en'))
    : logAxis(xs, width < 480 ? 6 : 11);
  const yAxis = () => {
    if (!logarithmic) return linearAxisAround([0, ...ys], Math.max(2, height / 45));
    if (isCurve) return logAxis(ys, Math.max(2, Math.min(6, Math.floor((floor - top) / LINE))));
    return withZeros(ys, logAxis(ys, Math.min(7, Math.max(2, Math.floor(height / BETWEEN) - 2))), floor - top);
  };
  const y = yAxis();
  const atX = (value: number) => left + x.share(value) * (right - left);
  const atY = (value: number) => floor - y.share(value) * (floor - top);
  const point = (event: PointerEvent) => {
    const share = (event.offsetX - left) / (right - left);
    const distance = (value: number) => Math.abs(x.share(value) - share);
    const near = isCurve
      ? Math.max(0, Math.min(until, Math.round(share * until)))
      : xs.reduce((best, value) => (distance(value) < distance(best) ? value : best), xs[0] ?? 0);
    if (near !== chosen) onChoose(near);
  };
  const every = isCurve ? Math.max(1, Math.ceil(xs.length / MOST_ROWS)) : 1;
  const dot = (kind: number, cx: number, cy: number, r: number) =>
    isCurve || kind === 0 ? (
      <circle class="plot__dot" cx={cx} cy={cy} r={r} />
    ) : (
      <path class="plot__dot" d={`M${cx - r} ${cy - r}h${2 * r}v${2 * r}h${-2 * r}z`} />
    );
  const styleOf = (i: number) => (named ? `plot__series--${i}` : '');
  return (
    <figure class="plot" ref={element}>
      {named && (
        <ul class="plot__legend plain wrap small">
          {series.map(({ name, points }, i) => (
            <li key={name} class={`plot__key row ${styleOf(i)}`}>
              <svg width="34" height="14" aria-hidden="true">
                <path class="plot__line" d="M1 7H33" />
                {!isCurve && dot(i, 17, 7, 3)}
              </svg>
              {name}
              <span class="plot__value">{textAt(points, chosen ?? xs.at(-1) ?? 0, 2)}</span>
            </li>
          ))}
        </ul>
      )}
      {right > left && (
        <svg
          class="plot__picture"
          width={width}
          height={height}
          role="img"
          aria-label={label}
          onPointerDown={point}
          onPointerMove={(event) => {
            if (event.buttons === 1) point(event);
          }}
        >
          <g class="plot__axes">
            {y.ticks.map(({ value, text }) => (
              <g key={text}>
                <path class={y.zero === value ? 'plot__zero' : 'plot__grid'} d={`M${left} ${atY(value)}H${right}`} />
                <text x={left - 6} y={atY(value) + 4} text-anchor="end">
                  {text}
                </text>
              </g>
            ))}
            {x.ticks.map(({ value, text }) => (
              <text key={text} x={atX(value)} y={floor + 16} text-anchor="middle">
                {text}
              </text>
            ))}
            <path class="plot__frame" d={`M${left} ${top}V${floor}H${right}`} />
            <text class="plot__label" x={(left + right) / 2} y={height - 5} text-anchor="middle">
              {xLabel}
            </text>
            <text class="plot__label" transform={`translate(10 ${(top + floor) / 2}) rotate(-90)`} text-anchor="middle">
              {yLabel}
            </text>
          </g>
          {chosen !== undefined && <path class="plot__chosen" d={`M${atX(chosen)} ${top}V${floor}`} />}
          {goals.map((goal) => (
            <path key={goal} class="plot__goal" d={`M${series.length > 1 ? right - 12 : left} ${atY(goal)}H${right}`} />
          ))}
          {series.map(({ name, points }, i) => (
            <path key={name} class={`plot__line ${styleOf(i)}`} d={lineOf(points, y.isOn, atX, atY)} />
          ))}
          {series.map(({ name, points }, i) => (
            <g key={name} class={styleOf(i)}>
              {(isCurve ? points.slice(-1) : points).map(
                (at) => y.isOn(at.y) && dot(i, atX(at.x), atY(at.y), isCurve ? 3.5 : at.x === chosen ? 5.5 : 3),
              )}
            </g>
          ))}
        </svg>
      )}
      <details class="plot__table small">
        <summary>Show as table</summary>
        <Table
          name="table"
          caption={label}
          quiet
          headings={[xLabel, ...series.map(({ name }) => name)]}
          // Of curves the first, the last, and some in between.
          rows={xs
            .filter((_, i) => i % every === 0 || i === xs.length - 1)
            .map((row) => [formatScientific(row, 2), ...series.map(({ points }) => textAt(points, row, 3))])}
        />
      </details>
    </figure>
  );
}

/** Distances from the x axis: of the lowest decade, if there are zeros, and of their line. */
const ZERO_BAND = 30;
const ZERO_LINE = 8;

/** A logarithmic axis with a line for zeros, if there are any, on `inside` CSS pixels. */
function withZeros(ys: readonly number[], axis: Axis, inside: number): Axis {
  if (!ys.includes(0)) return axis;
  const band = ZERO_BAND / inside;
  return {
    share: (value) => (value === 0 ? ZERO_LINE / inside : band + axis.share(value) * (1 - band)),
    ticks: [...axis.ticks, { value: 0, text: 'exactly 0' }],
    isOn: (value) => value === 0 || axis.isOn(value),
    zero: 0,
  };
}

function textAt(points: readonly Point[], x: number, digits: number) {
  const point = points.find((entry) => entry.x === x);
  return point ? formatScientific(point.y, digits) : '';
}

/** The path through the points, with a gap where a value is not on the y axis. */
const lineOf = (
  points: readonly Point[],
  isOn: (y: number) => boolean,
  atX: (x: number) => number,
  atY: (y: number) => number,
) =>
  points
    .map(({ x, y }, i) => {
      const before = points[i - 1];
      return isOn(y) ? `${before && isOn(before.y) ? 'L' : 'M'}${atX(x).toFixed(1)} ${atY(y).toFixed(1)}` : '';
    })
    .join('');

/** Width of an element's content box in CSS pixels; 0 before its first layout. */
function useWidth(element: { readonly current: HTMLElement | null }) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    // Whole pixels: a change of a fraction of a pixel must not cause a new layout.
    return observeSize(element.current, ({ contentRect }) => setWidth(Math.floor(contentRect.width)));
  }, [element]);
  return width;
}
