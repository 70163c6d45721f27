import entries from '../../../../content/counts.yaml';
import readsTexts from '../../../../content/reads.yaml';
import { axisNames, type Spatial, type SpatialAxis } from '../../../geometry/axis';
import type { ConvDesc, Padding } from '../../../protocol/problem';
import { dilatedKernel, outputSize, resolvePadding } from '../../../protocol/shapes';

/** Questions about sizes: a layer in words, the number, and numbers that common mistakes give. */
export interface CountTask {
  /** "How many rows does y have?" */
  readonly title: string;
  /** The sizes that matter, one sentence each. */
  readonly layer: readonly string[];
  readonly right: number;
  /** Hints, one after the other. */
  readonly hints: readonly string[];
  readonly mistakes: readonly { readonly value: number; readonly title: string; readonly sentence: string }[];
  /** A mistake gives the right number by chance, so the answer does not show it. */
  readonly ambiguous: boolean;
}

export type LayerAxis = Omit<SpatialAxis, 'output'>;

export const axesOf = (desc: ConvDesc): Readonly<Record<'rows' | 'cols', LayerAxis>> => ({
  rows: alongAxis(desc, 'row'),
  cols: alongAxis(desc, 'col'),
});

function alongAxis(desc: ConvDesc, axis: Spatial): LayerAxis {
  const names = axisNames(axis);
  const padding = resolvePadding(desc);
  return {
    ...{ input: desc[names.in], kernel: desc[names.kernel], stride: desc[names.stride] },
    ...{ dilation: desc[names.dilation], before: padding[names.before], after: padding[names.after] },
  };
}

export const outputs = ({ input, kernel, stride, dilation, before, after }: LayerAxis): number =>
  outputSize(input, before + after, dilatedKernel(kernel, dilation), stride);

/** A product of the sums along an axis: the window of `output` has the weight `tap` on the cell `input`. */
interface Product {
  readonly output: number;
  readonly tap: number;
  readonly input: number;
}

export const upTo = (count: number): readonly number[] => Array.from({ length: Math.max(0, count) }, (_, i) => i);

/** The products of a cell of y, a weight or a cell of dx along an axis, without those in the padding: outputs and taps ascend. */
export function productsAlong(tensor: 'y' | 'dw' | 'dx', axis: LayerAxis, at: number): readonly Product[] {
  const own = ({ y: 'output', dw: 'tap', dx: 'input' } as const)[tensor];
  const { kernel, stride, dilation, before } = axis;
  const windows = tensor === 'y' ? [at] : upTo(outputs(axis));
  return windows
    .flatMap((output) => upTo(kernel).map((tap) => ({ output, tap, input: output * stride + tap * dilation - before })))
    .filter((product) => product[own] === at && product.input >= 0 && product.input < axis.input);
}

export const size = (rows: number, cols: number): string => `${rows} × ${cols}`;

export function paddingText({ top, bottom, left, right }: Padding): string {
  const even = top === bottom && left === right && top === left;
  return even ? String(top) : `${top} above, ${bottom} below, ${left} left, ${right} right`;
}

export function layerWords(desc: ConvDesc): readonly string[] {
  return [
    `x has ${size(desc.h, desc.w)} cells${desc.c > 1 ? ` and ${desc.c} channels` : ''}.`,
    `The kernel is ${size(desc.kh, desc.kw)}${desc.k > 1 ? `, with ${desc.k} filters` : ''}${desc.groups > 1 ? ` in ${desc.groups} groups` : ''}.`,
    `Stride ${desc.stride_h === desc.stride_w ? desc.stride_h : `${desc.stride_h} (rows) and ${desc.stride_w} (columns)`}, dilation ${desc.dilation_h}, padding ${paddingText(resolvePadding(desc))}.`,
  ];
}

type Sizes = Readonly<Record<string, string | number | boolean>>;

/** An entry in web/content/counts.yaml. */
interface CountEntry {
  readonly title: string;
  readonly right: (sizes: Sizes) => number;
  readonly hints: readonly string[];
  readonly mistakes: readonly {
    readonly title: string;
    readonly sentence: string;
    readonly value: (sizes: Sizes) => number;
    /** False where the mistake gives the right number with every size of x, as a forgotten stride does at stride 1. */
    readonly applies?: (sizes: Sizes) => boolean;
  }[];
}

export const COUNTS = entries as Readonly<Record<string, CountEntry>>;

/** A question with the sizes filled in; of its mistakes, those that give the right number do not count. */
export function countTask(entry: CountEntry, sizes: Sizes, layer: CountTask['layer']): CountTask {
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => String(sizes[name]));
  const right = entry.right(sizes);
  const mistakes = entry.mistakes.map(({ value, applies, ...words }) => ({
    ...{ ...words, value: value(sizes), applies: applies?.(sizes) ?? true },
  }));
  return {
    ...{ title: filled(entry.title), right, hints: entry.hints.map(filled), layer },
    mistakes: mistakes.filter(({ value }) => value !== right && Number.isInteger(value) && value >= 0),
    ambiguous: mistakes.some(({ value, applies }) => applies && value === right),
  };
}

/** A question about the sizes of one layer. `asked`: "columns of y" is about that axis. */
export function sizeCount(asked: string, entry: CountEntry, desc: ConvDesc): CountTask {
  const { layout: _, padding_mode: _mode, padding: _padding, ...own } = desc;
  const { rows, cols } = axesOf(desc);
  const lines = asked.split(' ')[0] ?? '';
  const axis = lines === 'columns' ? cols : rows;
  const dilatedOf = ({ kernel, dilation }: LayerAxis) => dilatedKernel(kernel, dilation);
  const sizes = {
    ...{ ...own, ...axis, lines, dilated: dilatedOf(axis), channels: desc.c / desc.groups, taps: desc.kh * desc.kw },
    ...{ spanned: dilatedOf(rows) * dilatedOf(cols), cells: outputs(rows) * outputs(cols) },
  };
  return countTask(entry, sizes, layerWords(desc));
}

/** Questions about the cells that a sum reads, which are chosen on the page; for one image, one channel and one filter. */
export interface Reads {
  /** "Which cells of dy does the sum of dx[1,2] read?" */
  readonly title: string;
  readonly from: 'x' | 'dy';
  /** Columns of that tensor. */
  readonly cols: number;
  /** Their indices as an answer: "0.1.5". */
  readonly right: string;
  readonly hints: readonly string[];
  readonly mistakes: readonly { readonly value: string; readonly title: string; readonly sentence: string }[];
  /** A mistake gives the right cells by chance, so the answer does not show it. */
  readonly ambiguous: boolean;
}

export type ReadsName = keyof typeof READS_RESULT;
export const READS_RESULT = { 'reads y': 'y', 'reads dw': 'dw', 'reads dx': 'dx' } as const;

/** The answer with these cells chosen, in any order. */
export const readsText = (cells: readonly number[]): string => [...cells].sort((a, b) => a - b).join('.');

/** The cells of an answer, or of a part of one. */
export const readsCells = (written: string): readonly number[] =>
  written === '' ? [] : written.split('.').map(Number);

/** web/content/reads.yaml */
interface ReadsTexts {
  readonly hints: Readonly<Record<'y' | 'dw' | 'dx', string>>;
  readonly mistakes: readonly {
    readonly title: string;
    readonly sentence: string;
    readonly assumes: Partial<LayerAxis>;
  }[];
}

const { hints, mistakes: forgotten } = readsTexts as ReadsTexts;

const changes = (axis: LayerAxis, change: Partial<LayerAxis>): boolean =>
  Object.entries(change).some(([name, value]) => axis[name as keyof LayerAxis] !== value);

export function readsOf(asked: ReadsName, desc: ConvDesc, row: number, col: number): Reads {
  const tensor = READS_RESULT[asked];
  const from = tensor === 'dx' ? 'dy' : 'x';
  const axes = axesOf(desc);
  const [height, cols] = from === 'x' ? [desc.h, desc.w] : [outputs(axes.rows), outputs(axes.cols)];
  const indices = (change: Partial<LayerAxis>): string => {
    const along = (axis: LayerAxis, at: number, size: number) =>
      productsAlong(tensor, { ...axis, ...change }, at)
        .map(({ input, output }) => (from === 'x' ? input : output))
        .filter((cell) => cell < size);
    const all = along(axes.cols, col, cols);
    return readsText(along(axes.rows, row, height).flatMap((at) => all.map((other) => at * cols + other)));
  };
  const right = indices({});
  const mistakes = forgotten
    .filter(({ assumes }) => changes(axes.rows, assumes) || changes(axes.cols, assumes))
    .map(({ assumes, ...words }) => ({ ...words, value: indices(assumes) }));
  return {
    ...{ from, cols, right },
    title: `Which cells of ${from} does the sum of ${tensor}[${row},${col}] read?`,
    hints: [hints[tensor], `There are ${readsCells(right).length}.`],
    mistakes: mistakes.filter(({ value }) => value !== right && value !== ''),
    ambiguous: mistakes.some(({ value }) => value === right),
  };
}
