import { formatExact } from '../../ui/numbers';
import { counted } from '../../ui/quantities';
import { numpyPool, numpyPoolBackward, pytorchPool, tensorflowPool, windowsOfCell } from '../pooling-code';
import { poolingView } from '../pooling-rows';
import { cellSum, type FieldRow, listed, type NamedTerm, OTHER_ROUNDINGS, type PlainView, UNUSED } from '../view';
import type { AverageFields } from './core';

const excludesPadding = ({ count_include_pad }: AverageFields): boolean => count_include_pad === false;

const mean = (terms: readonly NamedTerm[], _own: string, cells: number): string => `= (${cellSum(terms)}) / ${cells}`;

const counts: FieldRow<AverageFields> = {
  key: 'count_include_pad',
  write: ({ count_include_pad }) => (count_include_pad === false ? 'false' : null),
  read(text = 'true') {
    if (text !== 'true' && text !== 'false') return null;
    return text === 'false' ? { count_include_pad: false } : {};
  },
};

export const averagePoolView: PlainView<AverageFields> = {
  ...poolingView,
  formula: () => 'y = Σ x / n',
  rows: [...poolingView.rows, counts],
  explain: {
    y({ fields, geometry: g, x, averages, reads }, index) {
      const cells = reads(index);
      const missing = excludesPadding(fields) ? 0 : g.kh * g.kw - cells.length;
      const padding = missing > 0 ? `, and ${missing} zeros of the padding` : '';
      const [sum, count] = [averages?.sums[index], averages?.counts[index]];
      const texts = cells.map((cell) => formatExact(x.value(cell)));
      return [
        `The mean of ${counted(cells.length, 'cell')} of ${x.name}${padding}: ${listed(texts)}.`,
        ...(sum === undefined || count === undefined ? [] : [`= sum ${formatExact(sum)} / ${count}`]),
      ];
    },
    dx({ fields, geometry: g, dy, reads, usedBy }, index) {
      const users = usedBy(index);
      if (users.length === 0) return [UNUSED];
      const texts = users.map((cell) => `${dy.label(cell)} = ${formatExact(dy.value(cell))}`);
      if (!excludesPadding(fields)) return [`Each window gives 1/${g.kh * g.kw} of its gradient: ${texts.join(', ')}.`];
      const parts = texts.map((text, i) => `${text} / ${reads(users[i] ?? 0).length}`);
      return [`Each window gives its gradient, divided by its number of cells: ${parts.join(', ')}.`];
    },
  },
  exercise: { y: mean, dx: mean },
  code: {
    numpy: ({ geometry, fields }) =>
      numpyPool(geometry, '', (back) => [
        excludesPadding(fields)
          ? [
              'rows_inside = ((rows >= TOP) & (rows < TOP + H)).sum(axis=1)',
              'cols_inside = ((cols >= LEFT) & (cols < LEFT + W)).sum(axis=1)',
              'count = rows_inside[:, None, None] * cols_inside[:, None]  # [OH, OW, 1], without the padding',
            ]
          : 'count = KH * KW',
        `y = (windows.sum(axis=(3, 4)) / count)${back}`,
      ]),
    pytorch: ({ geometry, fields }) =>
      pytorchPool(geometry, { call: 'avg_pool2d', value: '', excludesPadding: excludesPadding(fields) }),
    tensorflow: ({ geometry, fields }) =>
      tensorflowPool(geometry, { call: 'avg_pool2d', value: '', excludesPadding: excludesPadding(fields) }),
  },
  backward: ({ geometry }) =>
    numpyPoolBackward(geometry, 'windows_dx = np.broadcast_to((dy_last / count)[:, :, :, None, None], windows.shape)'),
  rounding({ geometry: g, fields }) {
    const windows = windowsOfCell(g);
    // Each window gives dy divided by its number of cells.
    const products = excludesPadding(fields) ? windows : Math.ceil(windows / (g.kh * g.kw));
    return [
      { name: 'y', bound: g.kh * g.kw + OTHER_ROUNDINGS, products: 1, of: ['x'] },
      { name: 'dx', bound: windows + OTHER_ROUNDINGS, products, of: ['dy'] },
    ];
  },
};
