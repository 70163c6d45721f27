import type { PlaneSizes, WindowSizes } from '../../protocol/layers';
import { NO_PADDING } from '../../protocol/problem';
import { counted } from '../../ui/quantities';
import { type LayerView, type NamedTerm, UNUSED } from '../view';

const products = (terms: readonly NamedTerm[]): string =>
  `= ${terms.map(({ cell, weight }) => `${cell}·${weight}`).join(' + ')}`;

const KERNEL = 3;

/** As many filters as channels. */
export const newConv = ({ h, w, c }: PlaneSizes): WindowSizes => ({
  ...{ k: c, kh: KERNEL, kw: KERNEL, stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1, groups: 1 },
  padding_mode: h < KERNEL || w < KERNEL ? 'same' : 'explicit_sides',
  padding: NO_PADDING,
});

export const convView: LayerView<unknown> = {
  formula: ({ hasBias }) => (hasBias ? 'y = x ∗ w + b' : 'y = x ∗ w'),
  rows: [],
  make: newConv,
  explain: {
    y: ({ x, weights, hasBias, reads }, index) => [
      `The sum of ${counted(reads(index).length, 'product')} of ${x.name} and ${weights}${hasBias ? ', plus b' : ''}.`,
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
