import { HIDEABLE, LOCKABLE, MODES, type ModeId, SIDE_IDS } from '../../../../web/src/look/look';
import { FILTER_NAMES } from '../../../../web/src/sources/generators';
import type { LossWord } from '../../../../web/src/sources/loss';
import { SAMPLE_NAMES, type TensorSource } from '../../../../web/src/sources/tensor-sources';
import { DW_ALGORITHMS as DW } from '../../../../web/src/views/dw/DwView';
import { DX_ALGORITHMS as DX } from '../../../../web/src/views/dx/DxView';
import { CONV_STAGES } from '../../../../web/src/views/dx/full-conv-stages';
import { AXIS_FIELDS } from '../../../../web/src/views/geometry/AxisCard';
import { PRECISIONS } from '../../../../web/src/views/gradient-check/choice';
import { FOLD_MODES as FOLDS, FOLLOWS, LOWERING_PARTS, PRODUCTS } from '../../../../web/src/views/im2col/choice';
import { OTHER_WEIGHTS, OWN, TASKS, YOUR_X } from '../../../../web/src/views/learn/choice';
import { DIGITS_TASK } from '../../../../web/src/views/learn/digits-choice';
import { BRUSH_REACHES, PAINT_VALUES } from '../../../../web/src/views/overview/dy-parts';

/** What docs/links.md says about a field. The key, short forms, limits and refusals come from the tables of fields. */
export interface Described {
  readonly meaning: string;
  /** Values, where neither the tables nor the refusal of the field state them. */
  readonly values?: string;
  /** The value of a link without the field, as text; null: described by `without`. */
  readonly initial: string | null;
  readonly without?: string;
  /** A complete field; `beside`: other fields that it needs. */
  readonly example: string;
  readonly beside?: string;
}

export const code = (text: string): string => `\`${text}\``;
const either = (words: readonly (string | number)[]): string => words.map((word) => code(String(word))).join(', ');
const ids = (list: readonly { readonly id: string }[]): string => either(list.map(({ id }) => id));
const words = (list: readonly { readonly value: string }[]): string => either(list.map(({ value }) => value));

const pass = (name: string, example: string): Described => ({
  meaning: `The algorithm that computes ${name}`,
  values: 'a name in the tab *Algorithms*',
  initial: null,
  without: 'the fastest by the cost model',
  example,
});

export const SIZES: Readonly<Record<string, Described>> = {
  h: { meaning: 'Rows of `x`', initial: '7', example: 'h=5' },
  w: { meaning: 'Columns of `x`', initial: null, without: '`h`', example: 'w=9' },
  kh: { meaning: 'Rows of the kernel', initial: '3', example: 'kh=2' },
  kw: { meaning: 'Columns of the kernel', initial: null, without: '`kh`', example: 'kw=5' },
  kernel: { meaning: '`kh` and `kw`, which win over it. Only read', initial: '3', example: 'kernel=2x5' },
  stride: { meaning: 'Stride of rows and columns', initial: '1', example: 'stride=2x1' },
  padding: {
    meaning: 'Padding of the sides of `x`. `same` is that of TensorFlow, with the odd row and column at the end',
    initial: '0',
    example: 'padding=1,0,2,1',
  },
  dilation: { meaning: 'Distance of the taps in rows and columns', initial: '1', example: 'dilation=2' },
  n: { meaning: 'Images', initial: '1', example: 'n=2' },
  c: { meaning: 'Channels of `x`, a multiple of `groups`', initial: '1', example: 'c=3' },
  k: { meaning: 'Filters, a multiple of `groups`', initial: '1', example: 'k=4' },
  groups: { meaning: 'Groups of channels and filters', initial: '1', example: 'groups=2', beside: 'c=4&k=2' },
  layout: {
    meaning: 'Order of the axes in arrays, indices and code: NHWC with HWIO, or NCHW with OIHW',
    initial: 'nhwc',
    example: 'layout=nchw',
  },
};

export const INPUTS: Readonly<Record<string, Described>> = {
  x: { meaning: 'The input', values: 'a source', initial: 'ramp', example: 'x=random:7' },
  weights: {
    meaning: 'The weights `w`',
    values: 'a source',
    initial: null,
    without: '`countdown:` and the number of weights',
    example: 'weights=filter:blur',
  },
  bias: { meaning: 'The bias `b`', values: 'a source', initial: null, without: 'no bias', example: 'bias=ones' },
  dy: { meaning: 'The upstream gradient', values: 'a source of `dy`', initial: 'ones', example: 'dy=one_hot:4' },
  forward: pass('`y`', 'forward=direct'),
  backward_data: pass('`dx`', 'backward_data=col2im'),
  backward_weights: pass('`dw`', 'backward_weights=im2col_gemm'),
  backward_bias: pass('`db`', 'backward_bias=sum'),
};

export const LOOK: Readonly<Record<string, Described>> = {
  mode: { meaning: 'The view', values: either(MODES), initial: 'board', example: 'mode=dx' },
  layer: {
    meaning: 'The layer that the views show, counted from 1',
    initial: null,
    without: 'the first convolution',
    example: 'layer=2',
    beside: 'h=6&layers=2&layer.1=conv;kh:2&layer.2=conv;kh:2',
  },
  cell: {
    meaning: 'The pinned cell: a tensor and the flat index in the order of `layout`',
    initial: null,
    without: 'none',
    example: 'cell=y.12',
  },
  slice: {
    meaning: 'The image, channel and filter that are shown, each counted from 0',
    initial: null,
    without: 'the first of each',
    example: 'slice=c2.k3',
  },
  colours: {
    meaning: 'The color scale',
    values: '`linear`, `root`',
    initial: null,
    without: 'chosen by the values',
    example: 'colours=root',
  },
  side: { meaning: 'The tab of the side panel', values: either(SIDE_IDS), initial: 'explain', example: 'side=code' },
  lesson: { meaning: 'The open lesson and its step', initial: null, without: 'none', example: 'lesson=padding.2' },
  answers: { meaning: 'Answers of an exercise set', initial: null, without: 'none', example: 'answers=41_-7h_r' },
  name: { meaning: 'The name on homework', initial: null, without: 'none', example: 'name=Ada' },
  seed: {
    meaning: 'The numbers of an exercise set; with `.each`, others for each name',
    initial: null,
    without: 'those of the set',
    example: 'seed=7.each',
  },
  date: {
    meaning: 'When homework was handed in, UTC',
    initial: null,
    without: 'none',
    example: 'date=2026-03-01T12:00Z',
  },
  digest: {
    meaning: 'A digest of homework, which shows changes by hand',
    values: '16 hexadecimal digits',
    initial: null,
    without: 'none',
    example: 'digest=0123456789abcdef',
  },
  questions: {
    meaning:
      'Questions of a teacher: a cell and a sentence (`y.3~Find`); a size or a number (`!rows of y~`, `!4~How many`); or options, the right one with a star (`!~Which~*w~x`); "~" and "," in texts are escaped',
    initial: null,
    without: 'none',
    example: 'questions=y.3~Find this cell',
  },
  lecture: {
    meaning: 'The lecture view of the open lesson. Write `words`',
    values: '`words`',
    initial: null,
    without: 'off',
    example: 'lecture=words',
  },
  code: {
    meaning: 'The tab *Code*: a language, a result (or `network`), and the result of the view when it was chosen',
    initial: null,
    without: '`cpp`, the result of the view',
    example: 'code=numpy.dw.y',
  },
  controls: {
    meaning: 'The column of controls',
    values: '`open`, `folded`',
    initial: 'open',
    example: 'controls=folded',
  },
  hidden: {
    meaning: 'Hidden tensors and cells, and parts of the page that are not shown',
    initial: null,
    without: 'none',
    example: 'hidden=dx,y.12,mode.lowering',
  },
  locked: {
    meaning: 'Parts of the page that cannot be changed',
    initial: null,
    without: 'none',
    example: 'locked=stride,mode.dw,x',
  },
};

/** The parts of the page that `hidden` and `locked` name. */
export const PART_NAMES = { hidden: either(HIDEABLE), locked: either(LOCKABLE) };

/** Sources of x, weights and bias. A kind that is missing here does not compile. */
export const TENSOR_SOURCES: Readonly<
  Record<TensorSource['kind'], { readonly meaning: string; readonly examples: readonly string[] }>
> = {
  ramp: {
    meaning: '0, 1, 2, … or from a given number, row by row with the channels innermost',
    examples: ['x=ramp', 'x=ramp:-3'],
  },
  countdown: { meaning: 'Down from a given number', examples: ['weights=countdown:9'] },
  constant: { meaning: 'The same value everywhere', examples: ['bias=ones', 'x=constant:0.5'] },
  random: { meaning: 'Whole numbers from -3 to 3, determined by the seed', examples: ['x=random:7'] },
  impulse: { meaning: 'A single 1 in the middle of each channel', examples: ['x=impulse'] },
  corner: { meaning: '`x` only: 1 in the lower right quarter', examples: ['x=corner'] },
  filter: {
    meaning: `\`weights\` only: an image kernel, ${either(FILTER_NAMES)}`,
    examples: ['weights=filter:sobel_x'],
  },
  sample: { meaning: `\`x\` only: a sample image, ${either(SAMPLE_NAMES)}`, examples: ['x=sample:portrait'] },
  file: { meaning: '`x` only: an image file, with its name; needs values', examples: ['x=file:cat.png~i8.AQIDBA'] },
  brought: {
    meaning: 'Values from elsewhere, with the name of a file if there is one; needs values',
    examples: ['x=brought~i8.AQIDBA', 'x=brought:layer.npz~i8.AQIDBA'],
  },
};

/** Sources of dy. */
export const LOSSES: Readonly<Record<LossWord, { readonly meaning: string; readonly examples: readonly string[] }>> = {
  ones: { meaning: '1 everywhere', examples: ['dy=ones'] },
  random: { meaning: 'Whole numbers from -4 to 4, determined by the seed', examples: ['dy=random:7'] },
  one_hot: { meaning: '1 in the cell with this flat index, else 0', examples: ['dy=one_hot:3'] },
  pointed: { meaning: 'The same, until the reader points at another cell of `y` or `dy`', examples: ['dy=pointed:3'] },
  values: {
    meaning: 'Your own values, one for each cell of `y`; with the shape of `y`, other sizes are refused',
    examples: ['dy=values:1.2.2.1~i8.AQIDBA'],
  },
  mse: {
    meaning: 'The gradient of half the mean of (y − target)²; the target is 0 or has a value for each cell of `y`',
    examples: ['dy=mse:0', 'dy=mse~i8.AQIDBA'],
  },
  log_cosh: { meaning: 'The gradient of the mean of log(cosh(y − target))', examples: ['dy=log_cosh:0'] },
  absolute_error: {
    meaning: 'The gradient of the mean absolute difference of y and the target; 0 where they are equal',
    examples: ['dy=absolute_error:0'],
  },
  cross_entropy: {
    meaning:
      'The gradient of softmax with cross-entropy, a mean over positions: (p − target) / positions, where p is the softmax of the channels. The target is a class, counted from 0, or a value for each cell of `y`: at least 0, with the sum 1 over the channels of each position',
    examples: ['dy=cross_entropy:0'],
  },
};

const STEPS = 'steps done, a whole number';
const FLAG = '`true`';

/** The settings of each view: name, values and default. A view that is missing here does not compile. */
export const SETTINGS: Readonly<Record<ModeId, Readonly<Record<string, readonly [values: string, initial: string]>>>> =
  {
    board: {
      t: ['windows done, a whole number; `0`: all of `y`, and no window', '`0`'],
      paint: [`${FLAG}: the brush for \`dy\``, 'off'],
      value: [either(PAINT_VALUES), code(String(PAINT_VALUES[0]))],
      reach: [`${either(BRUSH_REACHES)} cells around the pointer`, code(String(BRUSH_REACHES[0]))],
      target: [`${FLAG}: the target of the loss beside \`y\``, 'off'],
      overlay: [`${FLAG}: \`dx\` over the photo`, 'off'],
      same: [`${FLAG}: \`w\` and \`dw\` in the same colors`, 'off'],
    },
    network: {
      t: ['steps of the player, forward and then backward; `0`: all cells, and no step', '`0`'],
      cell: ['the pinned cell, as in `y2.17` or `dy2.17`', 'none'],
      slices: ['the shown channel of each tensor, as in `0.1.0`', 'the first of each'],
    },
    geometry: {
      'both-unknown': [either(AXIS_FIELDS), '`stride`'],
      'row-unknown': ['the same, for the rows alone', '`stride`'],
      'col-unknown': ['the same, for the columns alone', '`stride`'],
      'both-output': ['the wanted output, a whole number', 'that of the problem'],
      'row-output': ['the same, for the rows alone', 'that of the problem'],
      'col-output': ['the same, for the columns alone', 'that of the problem'],
    },
    dx: {
      way: [ids(DX), '`full_conv`'],
      t: [STEPS, 'up to the largest `dx`; of `scatter`: `dy`; with `unturned`: all'],
      stage: [`${ids(CONV_STAGES)}, of \`full_conv\``, code(CONV_STAGES.at(-1)?.id ?? '')],
      unturned: [`${FLAG}: \`w\` is not flipped`, 'off'],
      phase: ['`~0`, `~1`, …, of `phase_split`', '`~0`'],
    },
    dw: {
      way: [ids(DW), code(DW[0]?.id ?? '')],
      t: [`${STEPS}, of \`dilated_dy\``, 'up to the largest `dw`'],
      accumulated: [`${STEPS}, of \`direct\``, 'up to the largest `dy`'],
      'bias-t': [`${STEPS}, of \`sum\``, 'up to the largest `dy`'],
    },
    lowering: {
      part: [words(LOWERING_PARTS), code(LOWERING_PARTS[0].value)],
      order: ['`kh_kw_c`, `c_kh_kw`', '`kh_kw_c`'],
      transposed: [`${FLAG}: \`x_col\` is transposed`, 'off'],
      follow: [words(FOLLOWS), code(FOLLOWS[0].value)],
      rows: ['rows of `x_col` that are copied', 'all'],
      lane: [ids(PRODUCTS), code(PRODUCTS[0].id)],
      mode: [words(FOLDS), code(FOLDS[0]?.value ?? '')],
      folded: ['rows of `dx_col` that are added', 'all'],
      cell: ['flat index into `x` of the cell that is changed', 'one that tells the ways apart'],
    },
    matrix: { form: ['`transposed`: dx = Cᵀ dy', 'y = C x'] },
    'gradient-check': {
      parameter: ['`x`, `w`, `b`', '`w`'],
      index: ['flat index into the parameter', 'that of the largest gradient'],
      loss: ['`linear`, `mse`, `log_cosh`, `absolute_error`, `cross_entropy`', '`linear`'],
      epsilon: ['the step, from 1e-12 to 1', '`0.1`'],
      precision: [either(PRECISIONS), '`float32`'],
    },
    learn: {
      task: [
        `${ids([...TASKS, YOUR_X, OTHER_WEIGHTS])}, \`${OWN}\` (the target of \`dy\`), \`${DIGITS_TASK}\` (a network that learns to read digits)`,
        `\`${YOUR_X.id}\` without a target in \`dy\`, with several layers \`${OTHER_WEIGHTS.id}\``,
      ],
      learns: ['`w`, `x`', '`w`'],
      rate: ['the learning rate, from 0', 'that of the task'],
      batch: ['images of a step', '`n`'],
      noise: ['amplitude of the noise in the target, from 0', '`0`'],
      t: [STEPS, '`0`'],
      until: ['length of the player, in steps', '`100`, or enough for the task'],
      plot: [
        '`log`, `linear`, `weights`, or `norms` of dw in each layer; of digits `accuracy`, `loss` or `norms`',
        '`log`; of digits `accuracy`',
      ],
      scale: [
        'multiplies the initial weights of all layers, from 0; of digits 0.05, 1 or 10',
        '`1`, or that of the task',
      ],
      below: ['`target`, `dy`', '`target`'],
      image: ['of digits: the number of the image that is classified, from 0', 'the first image of the step'],
      drawn: ['of digits: your drawing, row by row; `a` is an empty pixel, `q` a painted one', 'nothing'],
    },
  };
