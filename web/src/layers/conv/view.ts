import { counted } from '../../ui/quantities';
import { type LayerView, type NamedTerm, UNUSED } from '../view';

const products = (terms: readonly NamedTerm[]): string =>
  `= ${terms.map(({ cell, weight }) => `${cell}·${weight}`).join(' + ')}`;

export const convView: LayerView<unknown> = {
  formula: ({ hasBias }) => (hasBias ? 'y = x ∗ w + b' : 'y = x ∗ w'),
  rows: [],
  explain: {
    y: ({ x, weights, hasBias, reads }, index) => [
      `The sum of ${reads(index).length} products of ${x.name} and ${weights}${hasBias ? ', plus b' : ''}.`,
    ],
    dx({ dy, usedBy }, index) {
      const users = usedBy(index);
      return users.length === 0
        ? [UNUSED]
        : [`The sum of ${counted(users.length, 'cell')} of ${dy.name}, each times a weight.`];
    },
  },
  exercise: { y: products, dx: products },
};
