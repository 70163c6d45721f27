import type { ReadsName } from '../../../lessons/exercises';
import type { ConvDesc } from '../../../protocol/problem';
import { axesOf, type LayerAxis, outputs, productsAlong } from './counts';

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

export const READS_RESULT = { 'reads y': 'y', 'reads dw': 'dw', 'reads dx': 'dx' } as const;

/** The answer with these cells chosen, in any order. */
export const readsText = (cells: readonly number[]): string => [...cells].sort((a, b) => a - b).join('.');

/** The cells of an answer, or of a part of one. */
export const readsCells = (written: string): readonly number[] =>
  written === '' ? [] : written.split('.').map(Number);

const HINTS = {
  dx: 'Find the windows that contain this cell of x: each belongs to one cell of dy.',
  y: 'Put the window on x. Its cells in the padding are not part of x.',
  dw: 'Move the window over x and note the cell under this weight at each position.',
};

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
  const mistakes = (
    [
      [{ before: 0, after: 0 }, 'Padding forgotten', 'With padding, the first window begins above and left of x.'],
      [{ stride: 1 }, 'Stride forgotten', 'The window moves by the stride.'],
      [{ dilation: 1 }, 'Dilation forgotten', 'A dilated window skips cells of x.'],
    ] as const
  )
    .filter(([change]) => changes(axes.rows, change) || changes(axes.cols, change))
    .map(([change, title, sentence]) => ({ value: indices(change), title, sentence }));
  return {
    ...{ from, cols, right },
    title: `Which cells of ${from} does the sum of ${tensor}[${row},${col}] read?`,
    hints: [HINTS[tensor], `There are ${readsCells(right).length}.`],
    mistakes: mistakes.filter(({ value }) => value !== right && value !== ''),
    ambiguous: mistakes.some(({ value }) => value === right),
  };
}
