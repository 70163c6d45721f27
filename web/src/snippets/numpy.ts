import { type Geometry, PASSES, type Pass } from '../protocol/problem';
import { makes, type PythonDialect, sumOfDy, viaNumpy } from './python';
import { chained } from './python-network';
import {
  flat,
  type LayerSubject,
  type Line,
  type LineMarks,
  linesOf,
  type PlainSubject,
  type Subject,
  type Texts,
  textsOf,
} from './snippet';

const rowOf: LineMarks[string] = {
  needs: ['n', 'i', 'j'],
  noteOf: ({ geometry: g, known: { n = 0, i = 0, j = 0 } }) =>
    `row ${(n * g.oh + i) * g.ow + j}: n = ${n}, i = ${i}, j = ${j}`,
};

const columnOf: LineMarks[string] = {
  needs: ['k'],
  noteOf: ({ geometry: { groups, group_k }, known: { k = 0 } }) =>
    groups === 1 ? `column ${k}` : `group ${Math.floor(k / group_k)}, column ${k % group_k}`,
};

/** The passes as matrix products with x_col (im2col: the rows are the windows of x) and col2im. */
function numpyCode({ geometry: g, bias }: Subject, wanted: readonly Pass[]): readonly Line[] {
  const [y, dx, dw, db] = PASSES.map((pass) => wanted.includes(pass));
  const nhwc = g.layout === 'nhwc';
  const one = g.groups === 1;
  /** Copies a tensor with channels last, and its name. */
  const toLast = (name: string, order: string) => !nhwc && `${name}_last = ${name}.transpose(${order})`;
  const last = (name: string) => (nhwc ? name : `${name}_last`);
  /** From channels last to the layout of the problem. */
  const back = (order: string) => (nhwc ? '' : `.transpose(${order})`);
  const lines: Texts = [
    'import numpy as np\n',
    (y || dx || dw) && sizes(g),
    (y || dw) && [
      '# im2col: each row of x_col is the window of one cell of y',
      toLast('x', '0, 2, 3, 1'),
      windows(last('x')),
      one
        ? 'x_col = windows.reshape(N * OH * OW, KH * KW * C)'
        : [
            'x_col = windows.reshape(N * OH * OW, KH * KW, G, GC).transpose(2, 0, 1, 3)',
            'x_col = x_col.reshape(G, N * OH * OW, KH * KW * GC)  # one matrix for each group',
          ],
      '',
    ],
    (y || dx) && [
      toLast('w', '2, 3, 1, 0'),
      one
        ? `w_col = ${last('w')}.reshape(KH * KW * C, K)  # one column for each filter`
        : `w_col = ${last('w')}.reshape(KH * KW * GC, G, GK).transpose(1, 0, 2)`,
    ],
    (dx || dw) && [
      toLast('dy', '0, 2, 3, 1'),
      one
        ? `dy_col = ${last('dy')}.reshape(N * OH * OW, K)`
        : `dy_col = ${last('dy')}.reshape(N * OH * OW, G, GK).transpose(1, 0, 2)`,
    ],
    y && [
      '',
      one ? 'y_col = x_col @ w_col' : 'y_col = (x_col @ w_col).transpose(1, 0, 2).reshape(N * OH * OW, K)',
      `y = ${bias ? '(y_col + b)' : 'y_col'}.reshape(N, OH, OW, K)${back('0, 3, 1, 2')}`,
    ],
    dx && [
      '',
      one
        ? 'dx_col = dy_col @ w_col.T'
        : [
            'dx_col = dy_col @ w_col.transpose(0, 2, 1)  # [G, N * OH * OW, KH * KW * GC]',
            'dx_col = dx_col.reshape(G, N * OH * OW, KH * KW, GC).transpose(1, 2, 0, 3)',
          ],
      'windows_dx = dx_col.reshape(N, OH, OW, KH, KW, C)',
      COL2IM,
      cropped(back('0, 3, 1, 2')),
    ],
    dw && [
      '',
      one
        ? 'dw_col = x_col.T @ dy_col  # sum over all rows: images and positions'
        : ['dw_col = x_col.transpose(0, 2, 1) @ dy_col  # [G, KH * KW * GC, GK]', 'dw_col = dw_col.transpose(1, 0, 2)'],
      `dw = dw_col.reshape(KH, KW, ${one ? 'C' : 'GC'}, K)${back('3, 2, 0, 1')}`,
    ],
    db && ['', sumOfDy(g, 'dy.sum(axis')],
  ];
  const product = { ...rowOf, computesCell: true } as const;
  return linesOf(lines, {
    [one ? 'x_col =' : 'x_col = x_col']: rowOf,
    ...{ 'w_col =': columnOf, 'dy_col =': rowOf, 'y_col =': rowOf },
    [one ? 'dx_col =' : 'dx_col = dy_col']: product,
    [one ? 'dw_col =' : 'dw_col = x_col']: product,
    ...{ 'y =': makes('y'), 'dx =': makes('dx'), 'dw =': makes('dw'), 'db =': makes('db', 'dy') },
  });
}

/** The windows of x, which has its channels last. `value`: of the padding. */
const windows = (x: string, value = ''): Texts => [
  `x_padded = np.pad(${x}, ((0, 0), (TOP, BOTTOM), (LEFT, RIGHT), (0, 0))${value})`,
  'rows = SH * np.arange(OH)[:, None] + DH * np.arange(KH)  # [OH, KH], of x_padded',
  'cols = SW * np.arange(OW)[:, None] + DW * np.arange(KW)  # [OW, KW]',
  'windows = x_padded[:, rows[:, None, :, None], cols[None, :, None, :]]  # [N, OH, OW, KH, KW, C]',
];

const cropped = (back: string): string =>
  `dx = dx_padded[:, TOP : TOP + H, LEFT : LEFT + W]${back}  # without the padding`;

const COL2IM = `\
# col2im: adds each tap of all windows to dx; overlapping windows add up
dx_padded = np.zeros((N, TOP + H + BOTTOM, LEFT + W + RIGHT, C))
for p in range(KH):
    for q in range(KW):
        to_rows = slice(p * DH, p * DH + (OH - 1) * SH + 1, SH)
        to_cols = slice(q * DW, q * DW + (OW - 1) * SW + 1, SW)
        dx_padded[:, to_rows, to_cols] += windows_dx[:, :, :, p, q]`;

const sizes = ({ padding: pad, ...g }: Geometry): Texts => [
  `N, H, W, C = ${g.n}, ${g.h}, ${g.w}, ${g.c}  # x`,
  `KH, KW, K = ${g.kh}, ${g.kw}, ${g.k}  # w, K filters`,
  `OH, OW = ${g.oh}, ${g.ow}  # y`,
  `SH, SW, DH, DW = ${g.stride_h}, ${g.stride_w}, ${g.dilation_h}, ${g.dilation_w}  # stride, dilation`,
  `TOP, BOTTOM, LEFT, RIGHT = ${pad.top}, ${pad.bottom}, ${pad.left}, ${pad.right}  # padding`,
  g.groups > 1 && `G, GC, GK = ${g.groups}, ${g.group_c}, ${g.group_k}  # groups; channels, filters of each`,
  '',
];

/** Pooling with the windows of im2col: y. */
function plain(layer: PlainSubject): readonly string[] {
  const { geometry: g, kind } = layer;
  if (kind === 'relu') return ['y = np.where(x > 0, x, 0)'];
  const nhwc = g.layout === 'nhwc';
  const back = nhwc ? '' : '.transpose(0, 3, 1, 2)';
  return flat([
    sizes(g),
    !nhwc && 'x_last = x.transpose(0, 2, 3, 1)',
    windows(nhwc ? 'x' : 'x_last', kind === 'max_pool' ? ', constant_values=-np.inf' : ''),
    kind === 'max_pool'
      ? [
          'cells = windows.reshape(N, OH, OW, KH * KW, C)',
          'winners = cells.argmax(axis=3)[:, :, :, None]  # of equal cells the first',
          `y = cells.max(axis=3)${back}`,
        ]
      : [
          layer.count_include_pad
            ? 'count = KH * KW'
            : [
                'rows_inside = ((rows >= TOP) & (rows < TOP + H)).sum(axis=1)',
                'cols_inside = ((cols >= LEFT) & (cols < LEFT + W)).sum(axis=1)',
                'count = rows_inside[:, None, None] * cols_inside[:, None]  # [OH, OW, 1], without the padding',
              ],
          `y = (windows.sum(axis=(3, 4)) / count)${back}`,
        ],
  ]);
}

/** The gradients of the inputs of a layer. */
function backward(layer: LayerSubject): readonly string[] {
  // Without a bias, all but the last gradient.
  if (layer.kind === 'conv') return textsOf(numpyCode(layer, PASSES.slice(1, layer.bias ? 4 : 3)));
  const { geometry: g, kind } = layer;
  if (kind === 'relu') return ['dx = np.where(x > 0, dy, 0)'];
  const nhwc = g.layout === 'nhwc';
  return flat([
    nhwc ? 'dy_last = dy' : 'dy_last = dy.transpose(0, 2, 3, 1)',
    kind === 'max_pool'
      ? [
          'dx_cells = np.zeros_like(cells)',
          'np.put_along_axis(dx_cells, winners, dy_last[:, :, :, None], axis=3)',
          'windows_dx = dx_cells.reshape(windows.shape)',
        ]
      : 'windows_dx = np.broadcast_to((dy_last / count)[:, :, :, None, None], windows.shape)',
    COL2IM,
    cropped(nhwc ? '' : '.transpose(0, 3, 1, 2)'),
  ]);
}

export const NUMPY: PythonDialect = {
  name: 'NumPy',
  code: numpyCode,
  ...viaNumpy(),
  double: 'tensor.astype(np.float64)',
  network: {
    plain,
    backward,
    passes: chained,
    sum: (dy) => `${dy}.sum(axis`,
    run: ['y, back = layer(*inputs)', 'return (y, *back(dy))'],
  },
};
