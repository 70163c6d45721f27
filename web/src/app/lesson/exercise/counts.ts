import { axisNames, type Spatial, type SpatialAxis } from '../../../geometry/axis';
import type { AskedCount } from '../../../lessons/exercises';
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

const upTo = (count: number): readonly number[] => Array.from({ length: Math.max(0, count) }, (_, i) => i);

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

function layerOf(desc: ConvDesc): readonly string[] {
  return [
    `x has ${size(desc.h, desc.w)} cells${desc.c > 1 ? ` and ${desc.c} channels` : ''}.`,
    `The kernel is ${size(desc.kh, desc.kw)}${desc.k > 1 ? `, with ${desc.k} filters` : ''}${desc.groups > 1 ? ` in ${desc.groups} groups` : ''}.`,
    `Stride ${desc.stride_h === desc.stride_w ? desc.stride_h : `${desc.stride_h} (rows) and ${desc.stride_w} (columns)`}, dilation ${desc.dilation_h}, padding ${paddingText(resolvePadding(desc))}.`,
  ];
}

/**
 * A question without its layer; of its mistakes, those that give the right number do not count. `applies`: false where a mistake
 * gives the right number with every size of x, as a forgotten stride does at stride 1.
 */
type Draft = Omit<CountTask, 'layer' | 'mistakes' | 'ambiguous'> & {
  readonly mistakes: readonly (readonly [value: number, title: string, sentence: string, applies: boolean])[];
};

function outputCount(axis: LayerAxis, word: 'rows' | 'columns'): Draft {
  const { input, kernel, stride, dilation, before, after } = axis;
  const dilated = dilatedKernel(kernel, dilation);
  const room = input + before + after - dilated;
  return {
    title: `How many ${word} does y have?`,
    right: outputs(axis),
    hints: [
      `Count the first cells that a window can have: ${word} 0 to ${input} + ${before} + ${after} − ${dilated} of the padded x, in steps of the stride.`,
      `⌊(${input} + ${before} + ${after} − ${dilated}) / ${stride}⌋ + 1`,
    ],
    mistakes: [
      [
        outputs({ ...axis, before: 0, after: 0 }),
        'Padding forgotten',
        'The padding makes x larger on both sides.',
        before + after > 0,
      ],
      [outputs({ ...axis, after: 0 }), 'Padding on one side', 'Both sides of the padding count.', after > 0],
      [outputs(axis) - 1, 'The +1 forgotten', 'The window at the start counts, too: add 1 after the division.', true],
      [
        Math.ceil(room / stride) + 1,
        'Rounded up',
        'A window that does not fit completely does not count: round down.',
        room % stride > 0,
      ],
      [
        outputs({ ...axis, stride: 1 }),
        'Stride forgotten',
        'The window moves by the stride, so divide by it.',
        stride > 1,
      ],
      [
        outputs({ ...axis, dilation: 1 }),
        'Dilation forgotten',
        'A dilated kernel spans dilation · (kernel − 1) + 1 cells.',
        dilated > kernel,
      ],
      [
        input,
        'Size of x',
        'The output has the size of x only with suitable padding and stride 1.',
        stride > 1 || before + after !== dilated - 1,
      ],
    ],
  };
}

function draftOf(asked: AskedCount, desc: ConvDesc): Draft {
  const { kh, kw, c, k, groups } = desc;
  const { rows, cols } = axesOf(desc);
  const channels = c / groups;
  const perFilter = kh * kw * channels;
  const spanned = dilatedKernel(kh, desc.dilation_h) * dilatedKernel(kw, desc.dilation_w);
  const [grouped, taps] = [groups > 1, kh * kw > 1];
  switch (asked) {
    case 'rows of y':
      return outputCount(rows, 'rows');
    case 'columns of y':
      return outputCount(cols, 'columns');
    case 'size of dw':
      return {
        title: 'dw has one number for each weight. How many channels does one filter of dw have?',
        right: channels,
        hints: ['dw has the shape of w: kernel rows, kernel columns, channels, filters.', `${c} / ${groups}`],
        mistakes: [
          [c, 'Groups forgotten', 'A filter reads only the channels of its group.', grouped],
          [k, 'Filters', 'That is the number of filters.', true],
          [k / groups, 'Filters of a group', 'That is the number of filters in one group.', true],
          [perFilter, 'Weights of a filter', 'That is the number of weights of one filter.', taps],
        ],
      };
    case 'weights':
      return {
        title: 'How many weights does the layer have, without biases?',
        right: perFilter * k,
        hints: ['Weights of one filter, times the number of filters.', `${kh} · ${kw} · ${channels} · ${k}`],
        mistakes: [
          [kh * kw * c * k, 'Groups forgotten', 'A filter reads only the channels of its group.', grouped],
          [perFilter, 'One filter', 'Every filter has its own weights.', k > 1],
          [kh * kw * k, 'Channels forgotten', 'A filter has a kernel for each channel that it reads.', channels > 1],
          [kh * kw, 'One kernel', 'Each filter has a kernel for each channel.', channels * k > 1],
          [perFilter * k + k, 'Biases included', 'The question asks for the weights alone.', true],
          [(perFilter * k) / groups, 'One group', 'All groups count.', grouped],
        ],
      };
    case 'biases':
      return {
        title: 'How many biases does the layer have?',
        right: k,
        hints: ['All cells of one channel of y share a bias.', 'One for each filter.'],
        mistakes: [
          [
            outputs(rows) * outputs(cols) * k,
            'One for each cell of y',
            'All cells of a channel of y share a bias.',
            true,
          ],
          [c, 'One for each channel of x', 'A bias belongs to a filter, which makes a channel of y.', true],
          [1, 'One for the layer', 'Every filter has its own bias.', k > 1],
          [k / groups, 'One group', 'All groups count.', grouped],
          [perFilter * k, 'The weights', 'That is the number of weights.', perFilter > 1],
        ],
      };
    case 'products of y':
      return {
        title: 'How many products are added for one cell of y, padding included?',
        right: perFilter,
        hints: ['One product for each weight of its filter.', `${kh} · ${kw} · ${channels}`],
        mistakes: [
          [kh * kw * c, 'Groups forgotten', 'A filter reads only the channels of its group.', grouped],
          [kh * kw, 'Channels forgotten', 'The window has all channels of the group.', channels > 1],
          [perFilter * k, 'All filters', 'A cell of y belongs to one filter.', k > 1],
          [
            spanned * channels,
            'Gaps counted',
            'A dilated kernel skips cells: only its weights make products.',
            spanned > kh * kw,
          ],
          [perFilter - 1, 'Additions', 'That is the number of additions.', true],
        ],
      };
  }
}

export const countTask = (asked: AskedCount, desc: ConvDesc): CountTask =>
  withMistakes(draftOf(asked, desc), layerOf(desc));

export function withMistakes(draft: Draft, layer: CountTask['layer']): CountTask {
  const mistakes = draft.mistakes
    .filter(([value]) => value !== draft.right && Number.isInteger(value) && value >= 0)
    .map(([value, title, sentence]) => ({ value, title, sentence }));
  const ambiguous = draft.mistakes.some(([value, , , applies]) => applies && value === draft.right);
  return { ...draft, layer, mistakes, ambiguous };
}
