import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { observeSize } from '../observe-size';
import { formatScientific } from '../quantities';
import { Table } from '../Table';
import type { Axis } from './scales';
import './plot.css';

type Point = Readonly<Record<'x' | 'y', number>>;

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface PlotData {
  /** The accessible name of the plot and the caption of the table. */
  readonly label: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
}

/** The drawn area of a plot, in pixels. */
interface PlotArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly floor: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly isOn: (y: number) => boolean;
  /** The path through the points, with a gap where a value is not on the y axis. */
  readonly line: (points: readonly Point[]) => string;
}

interface PlotProps extends PlotData {
  readonly height: number;
  /** Margins around the drawn area, in pixels. */
  readonly edge: Readonly<Record<'top' | 'right' | 'bottom' | 'left', number>>;
  readonly axes: (width: number) => { readonly x: Axis; readonly y: Axis };
  /** The x values of the table. */
  readonly rows: readonly number[];
  readonly legend?: Omit<LegendProps, 'series'> | false;
  /** Position of the pointer on the x axis, 0..1. Selects a step; the slider beside the plot does it by keyboard. */
  readonly onPoint: (share: number) => void;
  readonly children: (area: PlotArea) => ComponentChildren;
}

/** Axes with whatever `children` draws in them, and the values as a table, to read or copy. */
export function Plot({ height, edge, axes, rows, legend, onPoint, children, ...data }: PlotProps) {
  const { label, xLabel, yLabel, series } = data;
  const element = useRef<HTMLElement>(null);
  const width = useWidth(element);
  const { x, y } = axes(width);
  const { left, top } = edge;
  const [right, floor] = [width - edge.right, height - edge.bottom];
  const atX = (value: number) => left + x.share(value) * (right - left);
  const atY = (value: number) => floor - y.share(value) * (floor - top);
  const point = (event: PointerEvent) => onPoint((event.offsetX - left) / (right - left));
  return (
    <figure class="plot" ref={element}>
      {legend && <Legend series={series} {...legend} />}
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
          {children({ left, right, top, floor, x: atX, y: atY, isOn: y.isOn, line: lineOf(y.isOn, atX, atY) })}
        </svg>
      )}
      <details class="plot__table small">
        <summary>Show as table</summary>
        <Table
          name="table"
          caption={label}
          quiet
          headings={[xLabel, ...series.map(({ name }) => name)]}
          rows={rows.map((row) => [formatScientific(row, 2), ...series.map(({ points }) => textAt(points, row, 3))])}
        />
      </details>
    </figure>
  );
}

interface LegendProps {
  readonly series: readonly Series[];
  /** The x of the values beside the names. */
  readonly at: number;
  /** The point shape of a series; none for curves. */
  readonly dot?: (kind: number) => ComponentChildren;
}

const Legend = ({ series, at, dot }: LegendProps) => (
  <ul class="plot__legend plain wrap small">
    {series.map(({ name, points }, i) => (
      <li key={name} class={`plot__key row plot__series--${i}`}>
        <svg width="34" height="14" aria-hidden="true">
          <path class="plot__line" d="M1 7H33" />
          {dot?.(i)}
        </svg>
        {name}
        <span class="plot__value">{textAt(points, at, 2)}</span>
      </li>
    ))}
  </ul>
);

function textAt(points: readonly Point[], x: number, digits: number): string {
  const point = points.find((entry) => entry.x === x);
  return point ? formatScientific(point.y, digits) : '';
}

const lineOf =
  (isOn: (y: number) => boolean, atX: (x: number) => number, atY: (y: number) => number) =>
  (points: readonly Point[]): string =>
    points
      .map(({ x, y }, i) => {
        const before = points[i - 1];
        return isOn(y) ? `${before && isOn(before.y) ? 'L' : 'M'}${atX(x).toFixed(1)} ${atY(y).toFixed(1)}` : '';
      })
      .join('');

/** Width of an element's content box in CSS pixels; 0 before its first layout. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    // Whole pixels: a change of a fraction of a pixel must not cause a new layout.
    return observeSize(element.current, ({ contentRect }) => setWidth(Math.floor(contentRect.width)));
  }, [element]);
  return width;
}
