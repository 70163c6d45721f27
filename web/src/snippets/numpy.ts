import { flat, NUMPY_COL2IM, numpyCropped, numpySizes, numpyWindows } from '../layers/code';
import { PASSES, type Pass } from '../protocol/problem';
import { lossText } from './loss';
import { makes, type PythonDialect, sumOfDy, VIA_NUMPY } from './python';
import {
  type CodeLine,
  type Flags,
  type LayerSubject,
  type LineMarks,
  linesOf,
  listing,
  lossOf,
  type Subject,
  termsOf,
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
const PASSES_AS_PRODUCTS = `
             | import numpy as np
             |
loss         | # dy is the gradient of the loss at y, the result of the forward pass
loss         | {loss}
loss dx,dw   |
y,dx,dw      | {sizes}
y,dw         | # im2col: each row of x_col is the window of one cell of y
y,dw nchw    | x_last = x.transpose(0, 2, 3, 1)
y,dw         | {windows}
y,dw one     | x_col = windows.reshape(N * OH * OW, KH * KW * C)
y,dw groups  | x_col = windows.reshape(N * OH * OW, KH * KW, G, GC).transpose(2, 0, 1, 3)
y,dw groups  | x_col = x_col.reshape(G, N * OH * OW, KH * KW * GC)  # one matrix for each group
y,dw         |
y,dx nchw    | w_last = w.transpose(2, 3, 1, 0)
y,dx one     | w_col = {w}.reshape(KH * KW * C, K)  # one column for each filter
y,dx groups  | w_col = {w}.reshape(KH * KW * GC, G, GK).transpose(1, 0, 2)
dx,dw nchw   | dy_last = dy.transpose(0, 2, 3, 1)
dx,dw one    | dy_col = {dy}.reshape(N * OH * OW, K)
dx,dw groups | dy_col = {dy}.reshape(N * OH * OW, G, GK).transpose(1, 0, 2)
y            |
y one        | y_col = x_col @ w_col
y groups     | y_col = (x_col @ w_col).transpose(1, 0, 2).reshape(N * OH * OW, K)
y            | y = {y_col}.reshape(N, OH, OW, K){pixels}
dx           |
dx one       | dx_col = dy_col @ w_col.T
dx groups    | dx_col = dy_col @ w_col.transpose(0, 2, 1)  # [G, N * OH * OW, KH * KW * GC]
dx groups    | dx_col = dx_col.reshape(G, N * OH * OW, KH * KW, GC).transpose(1, 2, 0, 3)
dx           | windows_dx = dx_col.reshape(N, OH, OW, KH, KW, C)
dx           | {col2im}
dw           |
dw one       | dw_col = x_col.T @ dy_col  # sum over all rows: images and positions
dw groups    | dw_col = x_col.transpose(0, 2, 1) @ dy_col  # [G, KH * KW * GC, GK]
dw groups    | dw_col = dw_col.transpose(1, 0, 2)
dw one       | dw = dw_col.reshape(KH, KW, C, K){filters}
dw groups    | dw = dw_col.reshape(KH, KW, GC, K){filters}
db           |
db           | {db}`;

function numpyCode(subject: Subject, wanted: readonly Pass[]): readonly CodeLine[] {
  const { geometry: g, bias } = subject;
  const loss = lossOf(subject, wanted);
  const flags: Flags = { ...termsOf(subject, wanted).flags, loss: loss !== null };
  const [last, pixels, filters] = flags.nhwc
    ? ['', '', '']
    : ['_last', '.transpose(0, 3, 1, 2)', '.transpose(3, 2, 0, 1)'];
  const lines = listing(PASSES_AS_PRODUCTS, flags, {
    ...{ w: `w${last}`, dy: `dy${last}`, pixels, filters, y_col: bias ? '(y_col + b)' : 'y_col' },
    sizes: flat(numpySizes(g)).join('\n'),
    windows: flat(numpyWindows(`x${last}`)).join('\n'),
    col2im: `${NUMPY_COL2IM}\n${numpyCropped(pixels)}`,
    db: sumOfDy(g, NUMPY.sum),
    loss: loss ? lossText('numpy', loss, g, { y: 'y', dy: 'dy' }) : '',
  });
  const product = { ...rowOf, computesCell: true } as const;
  return linesOf(lines, {
    [flags.one ? 'x_col =' : 'x_col = x_col']: rowOf,
    ...{ 'w_col =': columnOf, 'dy_col =': rowOf, 'y_col =': rowOf },
    [flags.one ? 'dx_col =' : 'dx_col = dy_col']: product,
    [flags.one ? 'dw_col =' : 'dw_col = x_col']: product,
    ...{ 'y =': makes('y'), 'dx =': makes('dx'), 'dw =': makes('dw'), 'db =': makes('db', 'dy') },
  });
}

/** The gradients of the inputs of a layer. */
function backward(layer: LayerSubject): readonly string[] {
  if (layer.plain) return flat(layer.plain.backward(layer));
  // Without a bias, all but the last gradient.
  return textsOf(numpyCode({ ...layer, loss: undefined }, PASSES.slice(1, layer.bias ? 4 : 3)));
}

export const NUMPY: PythonDialect = {
  name: 'NumPy',
  code: numpyCode,
  ...VIA_NUMPY,
  difference: 'np.abs(page - here).max()',
  largest: VIA_NUMPY.largestGiven,
  sum: '{db} = {dy}.sum(axis={axes})',
  gradientOfLoss: '{loss}',
  double: 'tensor.astype(np.float64)',
  network: {
    id: 'numpy',
    backward,
    run: `\
    y, back = layer(*inputs)
    return (y, *back(dy))`,
  },
};
