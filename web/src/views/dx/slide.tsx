import type { ReadonlySignal } from '@preact/signals';
import { consecutive, type Range, single, upTo } from '../../geometry/axis';
import { groupOfChannel } from '../../geometry/focus';
import { cellAt, positionOf } from '../../geometry/grid';
import { pixelLabel } from '../../geometry/labels';
import { sourcesOf } from '../../geometry/links';
import { box, isRegion, type Region } from '../../geometry/region';
import type { StepPosition } from '../../geometry/steps';
import { cellKind } from '../../geometry/window';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry, Tensor } from '../../protocol/problem';
import { formatCell } from '../../ui/numbers';
import { stepHighlights } from '../kit/marks';

/** The kernel that slides over the padded dy: w flipped, or by mistake not. */
type SlidingKernel = 'w_flipped' | 'w_exchanged';

/** The rows and columns of the padded dy, from its first zero on, under the kernel that computes the cell of dx. */
function windowOnDy(g: Geometry, { row, col }: { readonly row: number; readonly col: number }) {
  return {
    row: { first: row + g.padding.top, step: g.dilation_h, count: g.kh },
    col: { first: col + g.padding.left, step: g.dilation_w, count: g.kw },
  };
}

/** The highlights with what the full convolution has for a cell of dx: the window on the padded dy, the weights on cells of dy. */
export function withWindow(g: Geometry, lit: Highlights | null, kernel: SlidingKernel): Highlights | null {
  if (lit?.cell.tensor !== 'dx') return lit;
  const p = positionOf(g, lit.cell);
  const group = groupOfChannel(g, p.channel);
  const filters = consecutive(group * g.group_k, g.group_k);
  const window = box(g, 'dy_inserted', { ...windowOnDy(g, p), slice: single(p.slice), channel: filters });
  return { ...lit, sources: [...lit.sources, window, weightsOn(g, lit.sources, p.channel, kernel)].filter(isRegion) };
}

/** The cells of the kernel, where it lies, that are on cells of dy. Not flipped, these are other weights. */
function weightsOn(g: Geometry, sources: readonly Region[], channel: number, kernel: SlidingKernel): Region | null {
  const w = sources.find(({ tensor }) => tensor === 'w');
  if (w?.kind !== 'box') return null;
  const flipped = ({ first, step, count }: Range, taps: number): Range => ({
    first: taps - 1 - first,
    step: -step,
    count,
  });
  return box(g, kernel, {
    slice: single(channel),
    row: flipped(w.row, g.kh),
    col: flipped(w.col, g.kw),
    channel: upTo(g.group_k),
  });
}

/** The highlights of a step that computes the cell of dx. */
export const highlightsOfStep = (g: Geometry, cell: Cell): Highlights =>
  stepHighlights(
    cell,
    sourcesOf(g, cell).filter(({ tensor }) => tensor === 'w' || tensor === 'dy'),
  );

/** "Step 6 of 16: the flipped w gives dx[1,1]: 4 of 9 weights are on dy." It fits beside the measured error at 1280 px. */
export function stepSentence(
  g: Geometry,
  { n, row, col }: StepPosition,
  cell: Cell,
  { steps, total, unflipped }: { readonly steps: number; readonly total: number; readonly unflipped: boolean },
): string {
  const dy = sourcesOf(g, cell).find(({ tensor }) => tensor === 'dy');
  const met = dy?.kind === 'box' ? dy.row.count * dy.col.count : 0;
  return `Step ${steps} of ${total}: ${unflipped ? 'w, not flipped,' : 'the flipped w'} gives ${pixelLabel(g, 'dx', { slice: n, row, col })}: ${met} of ${g.kh * g.kw} weights are on dy.`;
}

/** A slice that is drawn. */
interface Slice {
  readonly tensor: Tensor;
  readonly slice: number;
  readonly channel: number;
}

interface ProductsProps {
  readonly geometry: Geometry;
  readonly lit: ReadonlySignal<Highlights | null>;
  /** The padded dy, and the kernel. */
  readonly dy: Slice;
  readonly kernel: Slice & { readonly name: SlidingKernel };
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
export function SlideProducts({ geometry: g, lit, dy, kernel, size }: ProductsProps) {
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
