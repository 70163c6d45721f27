import { formatExact } from '../../ui/numbers';
import { counted } from '../../ui/quantities';
import type { PoolFields } from '../pooling';
import { numpyPool, numpyPoolBackward, pytorchPool, tensorflowPool, windowsOfCell } from '../pooling-code';
import { poolingView } from '../pooling-rows';
import { cellList, exact, type LayerScene, listed, OTHER_ROUNDINGS, type PlainView } from '../view';

const withMinus = (text: string): string => (text.startsWith('−') ? `(${text})` : text);

const winnersOf = ({ winners }: LayerScene<PoolFields>): ReadonlySet<number> => new Set(winners);

export const maxPoolView: PlainView<PoolFields> = {
  ...poolingView,
  formula: () => 'y = max x',
  explain: {
    y({ x, winners, reads }, index) {
      const cells = reads(index);
      const winner = winners?.[index];
      const texts = cells.map((cell) => formatExact(x.value(cell)));
      return [
        `The largest of ${counted(cells.length, 'cell')} of ${x.name}: ${listed(texts)}.`,
        ...(winner === undefined ? [] : [`It comes from ${x.label(winner)}; only that cell gets a gradient.`]),
      ];
    },
    dx({ dy, winners, usedBy }, index) {
      const won = usedBy(index).filter((cell) => winners?.[cell] === index);
      if (won.length === 0) return ['It is not the largest cell of any window, so no gradient reaches it.'];
      const values = won.map((cell) => withMinus(formatExact(dy.value(cell))));
      return [
        `It is the largest cell of ${counted(won.length, 'window')}.`,
        `= ${won.map(dy.label).join(' + ')} = ${values.join(' + ')}`,
      ];
    },
  },
  marks: {
    x(layer) {
      const winners = winnersOf(layer);
      return (index) => (winners.has(index) ? 'winner' : null);
    },
    dx(layer) {
      const winners = winnersOf(layer);
      return (index) => (winners.has(index) ? null : 'unread');
    },
  },
  passes: ({ winners }, x, y) => winners?.[y] === x,
  legend: 'Outlined cells are the largest of a pooling window: only they get a gradient.',
  exercise: {
    y: (terms) => `= max(${cellList(terms)})`,
    dx: (terms, own) =>
      `= the sum of those of ${cellList(terms)} where ${own} is the largest cell of the window. Of equal cells, the first one wins.`,
  },
  code: {
    numpy: ({ geometry }) =>
      numpyPool(geometry, ', constant_values=-np.inf', (back) => [
        'cells = windows.reshape(N, OH, OW, KH * KW, C)',
        'winners = cells.argmax(axis=3)[:, :, :, None]  # of equal cells the first',
        `y = cells.max(axis=3)${back}`,
      ]),
    pytorch: ({ geometry }) => pytorchPool(geometry, { call: 'max_pool2d', value: ', value=float("-inf")' }),
    tensorflow: ({ geometry }) =>
      tensorflowPool(geometry, { call: 'max_pool2d', value: ', constant_values=float("-inf")' }),
  },
  backward: ({ geometry }) =>
    numpyPoolBackward(geometry, [
      'dx_cells = np.zeros_like(cells)',
      'np.put_along_axis(dx_cells, winners, dy_last[:, :, :, None], axis=3)',
      'windows_dx = dx_cells.reshape(windows.shape)',
    ]),
  hasWinners: true,
  rounding({ geometry }) {
    const windows = windowsOfCell(geometry);
    return [exact('y'), { name: 'dx', bound: windows + OTHER_ROUNDINGS, products: windows, of: ['dy'] }];
  },
};
