import type { ReadonlySignal } from '@preact/signals';
import { consecutive, type Range, single, upTo } from '../../geometry/axis';
import { box, cellAt, groupOfChannel, isRegion, positionOf, type Region } from '../../geometry/grid';
import { pixelLabel } from '../../geometry/labels';
import { sourcesOf } from '../../geometry/links';
import { type StepPosition, stepCount } from '../../geometry/steps';
import { cellKind } from '../../geometry/window';
import type { ViewState } from '../../look/look';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry, ProcessName, StageName, Tensor } from '../../protocol/problem';
import { formatCell } from '../../ui/numbers';
import { counted } from '../../ui/quantities';
import { type Needs, plainStage } from '../shared/answers';
import { ProductCells, productChars } from '../shared/ProductCells';
import { chosenSteps, stepHighlights } from '../shared/plane';
import { type Subject, tellingSteps } from '../shared/telling';

/** A stage from dy to the full convolution. */
interface ConvStage {
  readonly id: string;
  readonly label: string;
  /** The upsampled dy that the stage draws; null: dy. */
  readonly upsampled: Extract<StageName, 'dy_upsampled' | 'dy_extended' | 'dy_inserted'> | null;
  readonly sentence: (g: Geometry) => string;
}

/** THE LIST of stages. The last one slides. */
export const CONV_STAGES: readonly ConvStage[] = [
  {
    id: 'dy',
    label: '1 dy',
    upsampled: null,
    sentence: (g) => `dy is ${g.oh} × ${g.ow}. dx must become ${g.h} × ${g.w}.`,
  },
  {
    id: 'zeros',
    label: '2 zeros',
    upsampled: 'dy_upsampled',
    sentence: (g) =>
      g.stride_h === 1 && g.stride_w === 1
        ? 'Stride 1 skips no positions, so no zeros are inserted.'
        : `Stride ${g.stride_h} × ${g.stride_w} skipped positions, so zeros (hatched) are inserted between the cells of dy.`,
  },
  {
    id: 'remainder',
    label: '3 remainder',
    upsampled: 'dy_extended',
    sentence: (g) =>
      g.remainder_h === 0 && g.remainder_w === 0
        ? 'The last window ends at the edge, so there is no remainder to append.'
        : `The stride left ${counted(g.remainder_h, 'row')} and ${counted(g.remainder_w, 'column')} at the end unread. They are appended as zeros (“output padding”).`,
  },
  {
    id: 'padded',
    label: '4 padding',
    upsampled: 'dy_inserted',
    sentence: (g) =>
      `Padding (dots): kernel size − 1, so ${g.dilated_kh - 1} rows and ${g.dilated_kw - 1} columns on each side. Every overlap with dy is included.`,
  },
  {
    id: 'slide',
    label: '5 flip, slide',
    upsampled: 'dy_inserted',
    sentence: () => 'w, flipped by 180°, slides over it with stride 1. Each position is one cell of dx.',
  },
];

export const SLIDE = 'slide';

export function chosenStage(of: Subject, { stage, t, unturned }: ViewState) {
  const total = stepCount(of.geometry, CORRECT);
  // The common mistake.
  const unflipped = unturned === true;
  return {
    stage: CONV_STAGES.find(({ id }) => id === stage) ?? CONV_STAGES.at(-1),
    // With w not flipped all wrong cells show at once.
    steps: chosenSteps(t ?? (unflipped ? total : tellingSteps(of, CORRECT)), total),
    unflipped,
  };
}

export const CORRECT: ProcessName = 'dx_full_conv';
const WRONG: ProcessName = 'dx_full_conv_unflipped';

export function fullConvNeeds(of: Subject, state: ViewState): Needs {
  const { stage, steps, unflipped: unturned } = chosenStage(of, state);
  const stages = [unturned ? 'w_exchanged' : 'w_flipped', ...(stage?.upsampled ? [stage.upsampled] : [])] as const;
  // The correct result too, by the same loops: a cell is wrong where the two differ.
  const processes = unturned ? [WRONG, CORRECT] : [CORRECT];
  return [
    ...stages.map((name) => plainStage(name)),
    ...processes.map((process) => ({ kind: 'partial', process, steps }) as const),
  ];
}

/** The flip of w, seen: first its rows change places, then its columns. Only the cells move; they end where they are drawn. */

/** Of a phase, and before the first one, in ms. */
const PHASE = 220;
const REST = 200;

/** Shows the flip in the panel of the flipped w. Not with reduced motion. */
export function flipKernel(): void {
  const cells = document.querySelectorAll<HTMLElement>('.panel--w_flipped [role="gridcell"]');
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const size = cells[0]?.offsetWidth ?? 0;
  const last = { row: 0, col: 0 };
  const spotOf = ({ dataset }: HTMLElement) => ({ row: Number(dataset.row), col: Number(dataset.col) });
  for (const cell of cells) {
    const { row, col } = spotOf(cell);
    last.row = Math.max(last.row, row);
    last.col = Math.max(last.col, col);
  }
  for (const cell of cells) {
    const { row, col } = spotOf(cell);
    const [across, down] = [(last.col - 2 * col) * size, (last.row - 2 * row) * size];
    const moves = [
      { transform: `translate(${across}px, ${down}px)`, offset: 0 },
      { transform: `translate(${across}px, ${down}px)`, offset: REST / (REST + 2 * PHASE), easing: 'ease-in-out' },
      { transform: `translate(${across}px, 0)`, offset: (REST + PHASE) / (REST + 2 * PHASE), easing: 'ease-in-out' },
      { transform: 'none', offset: 1 },
    ];
    for (const running of cell.getAnimations?.() ?? []) running.cancel();
    cell.animate?.(moves, REST + 2 * PHASE);
  }
}

let wasShown = false;

/** The first time that a chosen step is shown. */
export function flipOnce(): void {
  if (wasShown) return;
  wasShown = true;
  flipKernel();
}

/** The kernel that slides over the padded dy: w flipped, or by mistake not. */
type SlidingKernel = 'w_flipped' | 'w_exchanged';

/** The rows and columns of the padded dy, from its first zero on, under the kernel that computes the cell of dx. */
function windowOnDy(g: Geometry, { row, col }: { row: number; col: number }) {
  return {
    row: { first: row + g.padding.top, step: g.dilation_h, count: g.kh },
    col: { first: col + g.padding.left, step: g.dilation_w, count: g.kw },
  };
}

/** The highlights with what the full convolution has for a cell of dx: the window on the padded dy, the weights on cells of dy. */
export function withWindow(g: Geometry, lit: Highlights | null, kernel: SlidingKernel): Highlights | null {
  if (lit?.cell.tensor !== 'dx') return lit;
  const p = positionOf(g, lit.cell);
  const filters = consecutive(groupOfChannel(g, p.channel) * g.group_k, g.group_k);
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
  { steps, total, unflipped }: { steps: number; total: number; unflipped: boolean },
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

/** The kernel where it lies on the padded dy: a product in each of its cells. Hidden from screen readers, which get the terms. */
export function SlideProducts({
  geometry: g,
  lit,
  dy,
  kernel,
  size,
}: {
  geometry: Geometry;
  lit: ReadonlySignal<Highlights | null>;
  /** The padded dy, and the kernel. */
  dy: Slice;
  kernel: Slice & { readonly name: SlidingKernel };
  /** Cell size in CSS pixels. */
  size: number;
}) {
  const cell = lit.value?.cell;
  if (cell?.tensor !== 'dx') return null;
  const p = positionOf(g, cell);
  if (p.slice !== dy.slice || p.channel !== kernel.slice) return null;
  const { row: rows, col: cols } = windowOnDy(g, p);
  const chars = productChars(size);
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
  return <ProductCells products={products} size={size} />;
}
