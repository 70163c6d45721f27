import type { ConvDesc } from '../../protocol/problem';
import { resolvePadding, yShape } from '../../protocol/shapes';

const WIDTH = 132;
const HEIGHT = 76;
/** Room for the arrow between x and y. */
const GAP = 18;
/** Offset of each further channel behind the first. */
const BEHIND = 3;
const MOST_BEHIND = 3;

/** The geometry at a glance: x with its padding, the first window and the next one, and y. */
export function Thumbnail({ desc }: { readonly desc: ConvDesc }) {
  const { top, bottom, left, right } = resolvePadding(desc);
  const [rows, cols] = [desc.h + top + bottom, desc.w + left + right];
  const [, oh, ow] = yShape({ ...desc, layout: 'nhwc' });
  const [deep, many] = [behind(desc.c * desc.n), behind(desc.k * desc.n)];
  const size = Math.min(
    (HEIGHT - BEHIND * Math.max(deep, many) - 1) / Math.max(rows, oh),
    (WIDTH - GAP - BEHIND * (deep + many) - 2) / (cols + ow),
  );
  const middle = HEIGHT / 2;
  const x = { x: 0.5 + BEHIND * deep, y: middle - (rows * size - BEHIND * deep) / 2 };
  const y = { x: WIDTH - ow * size - 0.5, y: middle - (oh * size - BEHIND * many) / 2 };
  const window = (col: number) => ({
    x: x.x + col * size,
    y: x.y,
    width: ((desc.kw - 1) * desc.dilation_w + 1) * size,
    height: ((desc.kh - 1) * desc.dilation_h + 1) * size,
  });
  const taps = cells(desc.kh, desc.kw).map(([p, q]) => [p * desc.dilation_h, q * desc.dilation_w] as const);
  return (
    <svg class="thumbnail" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <Stack of="x" at={x} width={cols * size} height={rows * size} count={deep} />
      {cells(rows, cols).map(([row, col]) => {
        const inside = row >= top && row < top + desc.h && col >= left && col < left + desc.w;
        return <Cell key={`${row} ${col}`} kind={inside ? 'x' : 'padding'} at={x} row={row} col={col} size={size} />;
      })}
      {taps.map(([row, col]) => (
        <Cell key={`${row} ${col}`} kind="tap" at={x} row={row} col={col} size={size} />
      ))}
      {ow > 1 && <rect class="thumbnail__next" {...window(desc.stride_w)} />}
      <rect class="thumbnail__window" {...window(0)} />
      <path class="thumbnail__arrow" d={arrow((x.x + cols * size + y.x - BEHIND * many) / 2, middle)} />
      <Stack of="y" at={y} width={ow * size} height={oh * size} count={many} />
      {cells(oh, ow).map(([row, col]) => (
        <Cell key={`${row} ${col}`} kind={row + col === 0 ? 'first' : 'y'} at={y} row={row} col={col} size={size} />
      ))}
    </svg>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const behind = (channels: number): number => Math.min(channels - 1, MOST_BEHIND);

const cells = (rows: number, cols: number): readonly (readonly [number, number])[] =>
  Array.from({ length: rows * cols }, (_, i) => [Math.floor(i / cols), i % cols] as const);

const arrow = (x: number, y: number): string => `M${x - 5} ${y}h9m-3 -3l3 3l-3 3`;

interface CellProps {
  readonly kind: 'x' | 'padding' | 'tap' | 'y' | 'first';
  readonly at: Point;
  readonly row: number;
  readonly col: number;
  readonly size: number;
}

const Cell = ({ kind, at, row, col, size }: CellProps) => (
  <rect
    class={`thumbnail__cell thumbnail__cell--${kind}`}
    x={at.x + col * size}
    y={at.y + row * size}
    width={size}
    height={size}
  />
);

interface StackProps {
  readonly of: 'x' | 'y';
  readonly at: Point;
  readonly width: number;
  readonly height: number;
  readonly count: number;
}

/** The edges of the channels and images behind the first, drawn from back to front. */
const Stack = ({ of, at, width, height, count }: StackProps) => (
  <>
    {Array.from({ length: count }, (_, i) => (count - i) * BEHIND).map((off) => (
      <rect
        key={off}
        class={`thumbnail__cell thumbnail__cell--${of}`}
        x={at.x - off}
        y={at.y - off}
        width={width}
        height={height}
      />
    ))}
  </>
);
