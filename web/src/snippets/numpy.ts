import type { Geometry, Pass } from '../protocol/problem';
import { GRADIENTS, makes, sumOfDy } from './python';
import { type Line, type LineMarks, linesOf, type Subject } from './snippet';

/** The passes as matrix products with x_col (im2col: the rows are the windows of x) and col2im. */
export function numpyCode({ geometry: g, bias }: Subject, wanted: readonly Pass[]): readonly Line[] {
  const has = (pass: Pass) => wanted.includes(pass);
  const parts = [
    linesOf('import numpy as np\n'),
    ...(wanted.some((pass) => pass !== 'backward_bias') ? [sizes(g)] : []),
    ...(has('forward') || has('backward_weights') ? [unrolled(g)] : []),
    ...(has('forward') || has('backward_data') ? [weights(g)] : []),
    ...(wanted.some((pass) => pass !== 'forward') ? [gradient(g, wanted)] : []),
    ...(has('forward') ? [forward(g, bias)] : []),
    ...(has('backward_data') ? [backwardData(g)] : []),
    ...(has('backward_weights') ? [backwardWeights(g)] : []),
    ...(has('backward_bias') ? [backwardBias(g)] : []),
  ];
  return parts.flat();
}

function sizes({ padding: pad, ...g }: Geometry): readonly Line[] {
  const lines = [
    `N, H, W, C = ${g.n}, ${g.h}, ${g.w}, ${g.c}  # x`,
    `KH, KW, K = ${g.kh}, ${g.kw}, ${g.k}  # w, K filters`,
    `OH, OW = ${g.oh}, ${g.ow}  # y`,
    `SH, SW, DH, DW = ${g.stride_h}, ${g.stride_w}, ${g.dilation_h}, ${g.dilation_w}  # stride, dilation`,
    `TOP, BOTTOM, LEFT, RIGHT = ${pad.top}, ${pad.bottom}, ${pad.left}, ${pad.right}  # padding`,
    ...(g.groups > 1
      ? [`G, GC, GK = ${g.groups}, ${g.group_c}, ${g.group_k}  # groups; channels, filters of each`]
      : []),
    '',
  ];
  return linesOf(lines.join('\n'));
}

/** The name of a tensor with channels last. */
const last = (g: Geometry, name: 'x' | 'w' | 'dy'): string => (g.layout === 'nhwc' ? name : `${name}_last`);

const toLast = (g: Geometry, name: 'x' | 'w' | 'dy'): string =>
  g.layout === 'nhwc' ? '' : `${name}_last = ${name}.transpose(${name === 'w' ? '2, 3, 1, 0' : '0, 2, 3, 1'})\n`;

const rowOf: LineMarks[string] = {
  needs: ['n', 'i', 'j'],
  noteOf: ({ geometry: g, known: { n = 0, i = 0, j = 0 } }) =>
    `row ${(n * g.oh + i) * g.ow + j}: n = ${n}, i = ${i}, j = ${j}`,
};

function unrolled(g: Geometry): readonly Line[] {
  const col =
    g.groups === 1
      ? 'x_col = windows.reshape(N * OH * OW, KH * KW * C)'
      : `x_col = windows.reshape(N * OH * OW, KH * KW, G, GC).transpose(2, 0, 1, 3)
x_col = x_col.reshape(G, N * OH * OW, KH * KW * GC)  # one matrix for each group`;
  return linesOf(
    `\
# im2col: each row of x_col is the window of one cell of y
${toLast(g, 'x')}x_padded = np.pad(${last(g, 'x')}, ((0, 0), (TOP, BOTTOM), (LEFT, RIGHT), (0, 0)))
rows = SH * np.arange(OH)[:, None] + DH * np.arange(KH)  # [OH, KH], of x_padded
cols = SW * np.arange(OW)[:, None] + DW * np.arange(KW)  # [OW, KW]
windows = x_padded[:, rows[:, None, :, None], cols[None, :, None, :]]  # [N, OH, OW, KH, KW, C]
${col}
`,
    { [g.groups === 1 ? 'x_col =' : 'x_col = x_col']: rowOf },
  );
}

const weights = (g: Geometry): readonly Line[] =>
  linesOf(
    `${toLast(g, 'w')}${
      g.groups === 1
        ? `w_col = ${last(g, 'w')}.reshape(KH * KW * C, K)  # one column for each filter`
        : `w_col = ${last(g, 'w')}.reshape(KH * KW * GC, G, GK).transpose(1, 0, 2)`
    }`,
    { 'w_col =': { needs: ['k'], noteOf: ({ geometry, known: { k = 0 } }) => columnOf(geometry, k) } },
  );

const columnOf = ({ groups, group_k }: Geometry, k: number): string =>
  groups === 1 ? `column ${k}` : `group ${Math.floor(k / group_k)}, column ${k % group_k}`;

function gradient(g: Geometry, wanted: readonly Pass[]): readonly Line[] {
  const col =
    g.groups === 1
      ? `dy_col = ${last(g, 'dy')}.reshape(N * OH * OW, K)`
      : `dy_col = ${last(g, 'dy')}.reshape(N * OH * OW, G, GK).transpose(1, 0, 2)`;
  const needed = wanted.includes('backward_data') || wanted.includes('backward_weights');
  return needed ? linesOf(`${toLast(g, 'dy')}${col}`, { 'dy_col =': rowOf }) : [];
}

/** From channels last to the layout of the problem. */
const back = (g: Geometry, order: string): string => (g.layout === 'nhwc' ? '' : `.transpose(${order})`);

function forward(g: Geometry, bias: boolean): readonly Line[] {
  const product =
    g.groups === 1 ? 'y_col = x_col @ w_col' : `y_col = (x_col @ w_col).transpose(1, 0, 2).reshape(N * OH * OW, K)`;
  return linesOf(
    `\

${product}
y = ${bias ? '(y_col + b)' : 'y_col'}.reshape(N, OH, OW, K)${back(g, '0, 3, 1, 2')}`,
    { 'y_col =': rowOf, 'y =': makes('y') },
  );
}

function backwardData(g: Geometry): readonly Line[] {
  const product =
    g.groups === 1
      ? 'dx_col = dy_col @ w_col.T'
      : `dx_col = dy_col @ w_col.transpose(0, 2, 1)  # [G, N * OH * OW, KH * KW * GC]
dx_col = dx_col.reshape(G, N * OH * OW, KH * KW, GC).transpose(1, 2, 0, 3)`;
  return linesOf(
    `\

${product}
windows_dx = dx_col.reshape(N, OH, OW, KH, KW, C)
# col2im: adds each tap of all windows to dx; overlapping windows add up
dx_padded = np.zeros((N, TOP + H + BOTTOM, LEFT + W + RIGHT, C))
for p in range(KH):
    for q in range(KW):
        to_rows = slice(p * DH, p * DH + (OH - 1) * SH + 1, SH)
        to_cols = slice(q * DW, q * DW + (OW - 1) * SW + 1, SW)
        dx_padded[:, to_rows, to_cols] += windows_dx[:, :, :, p, q]
dx = dx_padded[:, TOP : TOP + H, LEFT : LEFT + W]${back(g, '0, 3, 1, 2')}  # without the padding`,
    {
      [g.groups === 1 ? 'dx_col =' : 'dx_col = dy_col']: { ...rowOf, computesCell: true },
      'dx =': makes('dx'),
    },
  );
}

function backwardWeights(g: Geometry): readonly Line[] {
  const product =
    g.groups === 1
      ? 'dw_col = x_col.T @ dy_col  # sum over all rows: images and positions'
      : `dw_col = x_col.transpose(0, 2, 1) @ dy_col  # [G, KH * KW * GC, GK]
dw_col = dw_col.transpose(1, 0, 2)`;
  return linesOf(
    `\

${product}
dw = dw_col.reshape(KH, KW, ${g.groups === 1 ? 'C' : 'GC'}, K)${back(g, '3, 2, 0, 1')}`,
    {
      [g.groups === 1 ? 'dw_col =' : 'dw_col = x_col']: { ...rowOf, computesCell: true },
      'dw =': makes('dw'),
    },
  );
}

const backwardBias = (g: Geometry): readonly Line[] => linesOf(`\n${sumOfDy(g, 'dy.sum(axis')}`, GRADIENTS);
