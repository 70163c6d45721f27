import type { Point } from './series';

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
