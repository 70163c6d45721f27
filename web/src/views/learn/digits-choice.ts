import type { ViewState } from '../../look/look';
import { DIGIT_LAYERS, DIGIT_STEPS, DIGITS, type Trained } from '../../protocol/digits';
import type { QuestionOf } from '../../protocol/questions';
import { formatCount, formatScientific } from '../../ui/quantities';
import type { Answers } from '../shared/answers';

/** The task of the view Learn that trains a network on images, whatever the problem is. */
export const DIGITS_TASK = 'digits';

export const isDigits = ({ task }: ViewState): boolean => task === DIGITS_TASK;

/** Scales of the initial weights. Others show how gradients vanish and explode. */
export const STARTS = [
  { value: 1, label: 'He initialization' },
  { value: 0.05, label: 'weights × 0.05' },
  { value: 10, label: 'weights × 10' },
] as const;

const PLOTS = ['norms', 'loss', 'accuracy'] as const;
export type DigitsPlot = (typeof PLOTS)[number];

/** Pixels of a drawing: "a" is 0, "q" is 1. */
const WHITE = 'a';
export const INK = 'q';
export const BLANK = WHITE.repeat(DIGITS.side ** 2);
const DRAWN = new RegExp(`^[${WHITE}${INK}]{${DIGITS.side ** 2}}$`);

export interface DigitsChoice {
  readonly steps: number;
  readonly scale: number;
  readonly plot: DigitsPlot;
  /** An image by its number; null: the first one of the batch. */
  readonly image: number | null;
  /** A letter for each pixel. */
  readonly drawn: string;
}

/** The file has 1,797 images. */
const LAST_IMAGE = 1796;

export function digitsChoice(state: ViewState): DigitsChoice {
  const whole = (value: unknown, most: number) =>
    typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.min(most, Math.round(value))) : null;
  return {
    steps: whole(state.t, DIGIT_STEPS) ?? 0,
    scale: STARTS.find(({ value }) => value === state.scale)?.value ?? 1,
    plot: PLOTS.find((plot) => plot === state.plot) ?? 'accuracy',
    image: whole(state.image, LAST_IMAGE),
    drawn: typeof state.drawn === 'string' && DRAWN.test(state.drawn) ? state.drawn : BLANK,
  };
}

export function digitsQuestion(state: ViewState): QuestionOf<'digits'> {
  const { steps, scale, image, drawn } = digitsChoice(state);
  const pixels = drawn === BLANK ? null : Array.from(drawn, (letter) => (letter === INK ? 1 : 0));
  return { kind: 'digits', steps, scale, image, drawn: pixels };
}

export const trainedIn = (answers: Answers): Trained | null => answers.of('digits')[0]?.answer ?? null;

export const CONVOLUTIONS = DIGIT_LAYERS.flatMap(({ kind }, i) => (kind === 'conv' ? [i] : []));

export const percent = (share: number): string =>
  share.toLocaleString('en', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Norms of dw outside of this range are not those of a network that learns. */
const LEAST_NORM = 0.01;
const MOST_NORM = 100;
/** A loss above it is that of guessing: log(10) = 2.3. */
const GUESSING = 2;

/** Why a layer does not learn, and a way out; '': all layers learn. */
export function gradientFault({ history, loss, gates }: Trained): string {
  const last = Array.from(history.norms.slice(-CONVOLUTIONS.length));
  const layers = (isFaulty: (norm: number) => boolean) =>
    CONVOLUTIONS.filter((_, i) => isFaulty(last[i] ?? 0)).map((layer) => layer + 1);
  const large = layers((norm) => norm > MOST_NORM);
  if (large.length > 0) {
    return `Gradients explode: the norm of dw is above ${MOST_NORM} in ${layersText(large)}. Each layer multiplies the gradient by its weights, and these are too large. Start with smaller weights, or use a smaller learning rate.`;
  }
  const closed = gates.find((relu) => relu.closed > 0);
  if (closed) {
    const all = closed.closed === closed.channels;
    const many = all ? `All ${closed.channels}` : `${closed.closed} of ${closed.channels}`;
    return `${many} channels of the ReLU in layer ${closed.layer + 1} are 0 for all held-out images. dy stops there, so ${all ? 'the layers before it learn' : 'their filters learn'} nothing. A large step makes this: start with smaller weights, or use leaky ReLU.`;
  }
  const small = layers((norm) => norm < LEAST_NORM);
  if (small.length > 0 && loss > GUESSING) {
    return `Gradients vanish: the norm of dw is below ${LEAST_NORM} in ${layersText(small)}. Each layer multiplies the gradient by its weights, and these are too small. Start with He initialization.`;
  }
  return '';
}

const layersText = (layers: readonly number[]): string =>
  `layer${layers.length > 1 ? 's' : ''} ${layers.join(', ').replace(/, (\d+)$/, ' and $1')}`;

/** "After 44 steps: 91.6 % of the held-out digits are recognized, 329 of 359." and what is wrong. */
export function digitsSentence({ steps: wanted }: DigitsChoice, trained: Trained): string {
  const { steps, held } = trained;
  const after = steps === 1 ? '1 step' : `${formatCount(steps)} steps`;
  const found = `After ${after}: ${held.correct} of ${held.images} held-out digits are recognized`;
  if (steps < wanted)
    return `${found}. Gradients explode: the next step overflows float32. Start with smaller weights.`;
  return `${found}; loss of the next batch ${formatScientific(trained.loss, 3)}.`;
}
