import { flat, NUMPY_COL2IM, numpyCropped, numpySizes, numpyWindows, type Texts } from '../layers/code';
import { PASSES, type Pass } from '../protocol/problem';
import { makes, type PythonDialect, sumOfDy, viaNumpy } from './python';
import { chained } from './python-network';
import { type CodeLine, type LayerSubject, type LineMarks, linesOf, type Subject, textsOf } from './snippet';

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
function numpyCode({ geometry: g, bias }: Subject, wanted: readonly Pass[]): readonly CodeLine[] {
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
    (y || dx || dw) && numpySizes(g),
    (y || dw) && [
      '# im2col: each row of x_col is the window of one cell of y',
      toLast('x', '0, 2, 3, 1'),
      numpyWindows(last('x')),
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
      NUMPY_COL2IM,
      numpyCropped(back('0, 3, 1, 2')),
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

/** The gradients of the inputs of a layer. */
function backward(layer: LayerSubject): readonly string[] {
  if (layer.plain) return flat(layer.plain.backward(layer));
  // Without a bias, all but the last gradient.
  return textsOf(numpyCode(layer, PASSES.slice(1, layer.bias ? 4 : 3)));
}

export const NUMPY: PythonDialect = {
  name: 'NumPy',
  code: numpyCode,
  ...viaNumpy(),
  double: 'tensor.astype(np.float64)',
  network: {
    id: 'numpy',
    backward,
    passes: chained,
    sum: (dy) => `${dy}.sum(axis`,
    run: ['y, back = layer(*inputs)', 'return (y, *back(dy))'],
  },
};
