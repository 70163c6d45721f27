import { LOSSES } from '../losses/entries';
import { LOSS_KINDS, type LossKind } from '../losses/list';
import type { Shape } from '../protocol/problem';
import { given, givenEntry, type Loss, type LossWord, targetKind } from './loss';

interface LossTexts {
  readonly label: string;
  /** The loss of this gradient. */
  readonly description: string;
  /** What to see or do, after the description in the menu of dy. */
  readonly hint?: string;
  /** Its text in a link, for error messages. */
  readonly example: string;
}

const textsOf = (kind: LossKind): LossTexts => ({
  example: `${kind}:0`,
  label: LOSSES[kind].label,
  description: `Loss: ${LOSSES[kind].mean}.`,
  hint: 'Change w to see dy and every gradient follow.',
});

/** The losses and sources of a given dy in menus. The first numbers do without. */
export const LOSS_TEXTS: Readonly<Record<LossWord, LossTexts>> = {
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
    // Breaks where the end can be cut off.
    label: 'a\u00a01 at the\u00a0cell you\u00a0point\u00a0at',
    description: 'dy = 1 in the cell under the pointer, as if the loss were that cell of y.',
    hint: 'Point at y or dy on the Overview: dx is w at its window, dw the window.',
  },
  values: {
    example: 'values for the cells of y',
    label: 'painted',
    description: 'Your own values: change any cell of dy.',
  },
  ...(Object.fromEntries(LOSS_KINDS.map((kind) => [kind, textsOf(kind)])) as Record<LossKind, LossTexts>),
};

/** As chosen in a menu, from the shape of y and the current dy (null: not computed yet). */
export function lossOf(word: LossWord, current: { readonly shape: Shape; readonly dy: Float32Array | null }): Loss {
  const kind = targetKind(word);
  return kind ? { kind, target: null } : given(givenEntry(word)?.make(current) ?? { kind: 'ones' });
}
