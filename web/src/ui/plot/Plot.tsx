import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { formatScientific } from '../quantities';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** A label of an axis, at a position in pixels. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** The sides of the drawn area, in pixels. `height` is that of the whole plot. */
export interface PlotBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly floor: number;
  readonly height: number;
}

interface AxesProps {
  readonly box: PlotBox;
  readonly xTicks: readonly Tick[];
  /** With a line across the plot each. */
  readonly yTicks: readonly Tick[];
  /** The value 0 below a logarithmic axis, with a line of its own. */
  readonly zero?: Tick | null;
  readonly xLabel: string;
  readonly yLabel: string;
}

export function Axes({ box, xTicks, yTicks, zero = null, xLabel, yLabel }: AxesProps) {
  const { left, right, top, floor, height } = box;
  return (
    <g class="plot__axes">
      {[...yTicks, ...(zero ? [zero] : [])].map((tick) => (
        <g key={tick.text}>
          <path class={tick === zero ? 'plot__zero' : 'plot__grid'} d={`M${left} ${tick.at}H${right}`} />
          <text x={left - 6} y={tick.at + 4} text-anchor="end">
            {tick.text}
          </text>
        </g>
      ))}
      {xTicks.map(({ at, text }) => (
        <text key={text} x={at} y={floor + 16} text-anchor="middle">
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
  );
}

/** The path through the points, in pixels, with a gap where `isOnAxis` is false. */
export function lineOf(
  points: readonly Point[],
  isOnAxis: (y: number) => boolean,
  atX: (x: number) => number,
  atY: (y: number) => number,
): string {
  let drawing = false;
  return points
    .map(({ x, y }) => {
      const command = isOnAxis(y) ? (drawing ? 'L' : 'M') : '';
      drawing = command !== '';
      return command && `${command}${atX(x).toFixed(1)} ${atY(y).toFixed(1)}`;
    })
    .join('');
}

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

/** Width of an element's content box in CSS pixels; 0 before its first layout. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    let frame = 0;
    const observer = new ResizeObserver(([entry]) => {
      cancelAnimationFrame(frame);
      // In the next frame: a rendering inside the observer may change the size again (a scroll bar appears), which every
      // browser reports as the error "ResizeObserver loop".
      frame = requestAnimationFrame(() => {
        // Whole pixels: a change of a fraction of a pixel must not cause a new layout.
        if (entry) setWidth(Math.floor(entry.contentRect.width));
      });
    });
    observer.observe(target);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [element]);
  return width;
}
