import { LOSSES } from '../losses/entries';
import { LOSS_KINDS, type LossKind } from '../losses/list';
import type { DySource } from './dy-sources';

interface DyWords {
  readonly label: string;
  /** The loss of this gradient. */
  readonly description: string;
  /** What to see or do, after the description in the menu of dy. */
  readonly hint?: string;
  /** Its text in a link, for error messages. */
  readonly example: string;
}

const wordsOf = (kind: LossKind): DyWords => ({
  example: `${kind}:0`,
  label: LOSSES[kind].label,
  description: `Loss: ${LOSSES[kind].mean}.`,
  hint: 'Change w to see dy and every gradient follow.',
});

/** The sources of dy in menus. Not part of the entries, because the first numbers do without. */
export const DY_WORDS: Readonly<Record<DySource['kind'], DyWords>> = {
  ones: { example: 'ones', label: 'ones', description: 'dy = 1 everywhere, as if the loss were the sum of y.' },
  random: {
    example: 'random:7',
    label: 'random',
    description: 'Random whole numbers, like a gradient from the next layer.',
  },
  one_hot: {
    example: 'one_hot:0',
    label: 'a single 1',
    description: 'dy = 1 in one cell, as if the loss were that cell of y.',
  },
  pointed: {
    example: 'pointed:0',
    label: '1 where you point',
    description: 'dy = 1 in the cell under the pointer, as if the loss were that cell of y.',
    hint: 'Point at y or dy on the Overview: dx is w at its window, dw the window.',
  },
  values: {
    example: 'values for the cells of y',
    label: 'painted',
    description: 'Your own values: change any cell of dy.',
  },
  ...(Object.fromEntries(LOSS_KINDS.map((kind) => [kind, wordsOf(kind)])) as Record<LossKind, DyWords>),
};
