import type { ReadonlySignal } from '@preact/signals';
import { cellAt, positionOf } from '../../geometry/grid';
import { cellKind } from '../../geometry/window';
import type { Highlights } from '../../look/look-store';
import type { Geometry, Tensor } from '../../protocol/problem';
import { formatCell } from '../../ui/numbers';
import { type SlidingKernel, windowOnDy } from './slide';

interface ProductsProps {
  readonly geometry: Geometry;
  readonly lit: ReadonlySignal<Highlights | null>;
  /** The padded dy and the kernel, with the slices that are drawn. */
  readonly dy: { readonly tensor: Tensor; readonly slice: number; readonly channel: number };
  readonly kernel: {
    readonly name: SlidingKernel;
    readonly tensor: Tensor;
    readonly slice: number;
    readonly channel: number;
  };
  /** Cell size in CSS pixels. */
  readonly size: number;
}

/** Width of a character in em, and that of the dot in characters. */
const CHARACTER = 0.64;
const DOT = 0.5;
/** Font sizes in CSS pixels: below the first, a product stands in two lines if it is larger so; the second is the least. */
const LEGIBLE = 12;
const SMALLEST = 9;
const AIR = 4;

/** The kernel where it lies on the padded dy: a product in each of its cells. Hidden from screen readers, which get the terms. */
export function Products({ geometry: g, lit, dy, kernel, size }: ProductsProps) {
  const cell = lit.value?.cell;
  if (cell?.tensor !== 'dx') return null;
  const p = positionOf(g, cell);
  if (p.slice !== dy.slice || p.channel !== kernel.slice) return null;
  const { row: rows, col: cols } = windowOnDy(g, p);
  const chars = Math.floor((size - AIR) / (CHARACTER * SMALLEST));
  const textOf = (tensor: Tensor, index: number | undefined) =>
    formatCell(index === undefined ? Number.NaN : (tensor.data[index] ?? Number.NaN), { digits: 2, chars });
  const products = Array.from({ length: g.kh * g.kw }, (_, i) => {
    const [r, c] = [Math.floor(i / g.kw), i % g.kw];
    const [row, col] = [rows.first + rows.step * r, cols.first + cols.step * c];
    const onDy = cellAt(g, 'dy_inserted', { slice: dy.slice, row, col, channel: dy.channel });
    const weight = cellAt(g, kernel.name, { slice: kernel.slice, row: r, col: c, channel: kernel.channel });
    return {
      ...{ row, col },
      counts: onDy !== null && cellKind(g, onDy) === 'data',
      value: textOf(dy.tensor, onDy?.index),
      weight: textOf(kernel.tensor, weight?.index),
    };
  }).filter(({ row, col }) => row >= 0 && col >= 0);
  const longest = (lengths: readonly number[]) => Math.max(...lengths, 1);
  const fontFor = (length: number) => Math.min(15, Math.floor((size - AIR) / (CHARACTER * length)));
  const inLine = fontFor(longest(products.map(({ value, weight }) => value.length + DOT + weight.length)));
  const lines = products.map(({ value, weight }) => Math.max(value.length, DOT + weight.length));
  const stacked = Math.min(Math.floor(size / 2) - 1, fontFor(longest(lines)));
  const isStacked = inLine < LEGIBLE && stacked > inLine;
  const font = Math.max(isStacked ? stacked : inLine, SMALLEST - 1);
  return (
    <div class="products" style={{ '--cell': `${size}px`, fontSize: `${font}px` }} aria-hidden="true">
      {products.map(({ row, col, counts, value, weight }) => (
        <span
          key={`${row},${col}`}
          class={`products__one${counts ? ' products__one--counts' : ''}${isStacked ? ' products__one--stacked' : ''}`}
          style={{ left: `${col * size}px`, top: `${row * size}px` }}
        >
          <span>{value}</span>
          <span class="products__weight">·{weight}</span>
        </span>
      ))}
    </div>
  );
}
