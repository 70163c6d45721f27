import type { Geometry, Pass, ProcessName, TensorName } from '../protocol/problem';
import {
  elementText,
  type IndexName,
  type Line,
  type LineMarks,
  type LoopOrders,
  linesOf,
  type Subject,
} from './snippet';

/** The passes as plain loops in C++, in the order of the page's players. */

/** The sizes, named as in the loops. */
export function cppSizes({ padding: pad, ...g }: Geometry): readonly Line[] {
  const lines = [
    '// sizes of x, w and y',
    `const int N = ${g.n}, H = ${g.h}, W = ${g.w}, C = ${g.c};`,
    `const int KH = ${g.kh}, KW = ${g.kw}, K = ${g.k};`,
    `const int OH = ${g.oh}, OW = ${g.ow};`,
    '// stride, dilation, padding before x',
    `const int SH = ${g.stride_h}, SW = ${g.stride_w};`,
    `const int DH = ${g.dilation_h}, DW = ${g.dilation_w};`,
    `const int TOP = ${pad.top}, LEFT = ${pad.left};`,
  ];
  if (g.groups > 1) lines.push('// channels and filters of a group', `const int GC = ${g.group_c}, GK = ${g.group_k};`);
  return linesOf(lines.join('\n'));
}

export const cppCode = ({ geometry, bias }: Subject, wanted: readonly Pass[], ways: LoopOrders): readonly Line[] =>
  wanted.flatMap((pass, at) => [...(at > 0 ? linesOf('') : []), ...loopsOf(geometry, bias, ways[pass])]);

const AXES = {
  nhwc: { x: ['n', 'r', 's', 'c'], y: ['n', 'i', 'j', 'k'], w: ['p', 'q', 'c', 'k'], b: ['k'] },
  nchw: { x: ['n', 'c', 'r', 's'], y: ['n', 'k', 'i', 'j'], w: ['k', 'c', 'p', 'q'], b: ['k'] },
} as const;

/** "x[n][r][s][c]", in memory order; a filter has weights for the channels of its group. */
function element(g: Geometry, tensor: TensorName, taps: readonly [string, string] = ['p', 'q']): string {
  const family = tensor.replace(/^d/, '') as 'x' | 'y' | 'w' | 'b';
  const channel = g.groups > 1 && family === 'w' ? 'c % GC' : 'c';
  const written: Readonly<Record<string, string>> = { p: taps[0], q: taps[1], c: channel };
  return `${tensor}${AXES[g.layout][family].map((index) => `[${written[index] ?? index}]`).join('')}`;
}

/** Marks of a line that computes a cell of a tensor. */
const made = (tensor: TensorName, needs: readonly IndexName[]): LineMarks[string] => ({
  needs,
  noteOf: (facts) => elementText(facts, tensor, (indices) => indices.map((index) => `[${index}]`).join('')),
  computesCell: true,
});

const READING: LineMarks = { 'int r =': { needs: ['r'] }, 'int s =': { needs: ['s'] } };

function loopsOf(g: Geometry, bias: boolean, process: ProcessName): readonly Line[] {
  const name = (tensor: TensorName) => element(g, tensor);
  const channels = g.groups === 1 ? 'int c = 0; c < C; ++c' : 'int c = k / GK * GC; c < (k / GK + 1) * GC; ++c';
  const filters = g.groups === 1 ? 'int k = 0; k < K; ++k' : 'int k = c / GC * GK; k < (c / GC + 1) * GK; ++k';
  /** Indented like the lines around it. */
  const inside = (depth: number) =>
    ['// in the padding: 0', 'if (r < 0 || r >= H) continue;', 'if (s < 0 || s >= W) continue;'].join(
      `\n${' '.repeat(depth)}`,
    );
  const output: readonly IndexName[] = ['n', 'i', 'j', 'k'];
  const input: readonly IndexName[] = ['n', 'r', 's', 'c'];
  switch (process) {
    case 'forward':
      return linesOf(
        `\
// y: sum of the window of x at (i, j) times w
for (int n = 0; n < N; ++n)
  for (int i = 0; i < OH; ++i)
    for (int j = 0; j < OW; ++j)
      for (int k = 0; k < K; ++k) {
        double sum = ${bias ? 'b[k]' : '0'};
        for (int p = 0; p < KH; ++p)
          for (int q = 0; q < KW; ++q) {
            int r = i*SH + p*DH - TOP;
            int s = j*SW + q*DW - LEFT;
            ${inside(12)}
            for (${channels})
              sum += ${name('x')} * ${name('w')};
          }
        ${name('y')} = sum;
      }`,
        { ...READING, [`${name('y')} = sum`]: made('y', output) },
      );
    case 'dx_scatter':
      return linesOf(
        `\
// dx: adds each cell of dy times w to the window of x that it came from
for (int n = 0; n < N; ++n)
  for (int i = 0; i < OH; ++i)
    for (int j = 0; j < OW; ++j)
      for (int k = 0; k < K; ++k)
        for (int p = 0; p < KH; ++p)
          for (int q = 0; q < KW; ++q) {
            int r = i*SH + p*DH - TOP;
            int s = j*SW + q*DW - LEFT;
            ${inside(12)}
            for (${channels})
              ${name('dx')} += ${name('dy')} * ${name('w')};
          }`,
        { ...READING, [name('dx')]: made('dy', output) },
      );
    case 'dx_col2im':
      return linesOf(
        `\
// dx: adds each row of dx_col = dy_col * w_col^T to its window
for (int n = 0; n < N; ++n)
  for (int i = 0; i < OH; ++i)
    for (int j = 0; j < OW; ++j) {
      // a row of dx_col
      double row[KH][KW][C] = {};
      for (int p = 0; p < KH; ++p)
        for (int q = 0; q < KW; ++q)
          for (int c = 0; c < C; ++c)
            for (${filters})
              row[p][q][c] += ${name('dy')} * ${name('w')};
      for (int p = 0; p < KH; ++p)
        for (int q = 0; q < KW; ++q) {
          int r = i*SH + p*DH - TOP;
          int s = j*SW + q*DW - LEFT;
          ${inside(10)}
          for (int c = 0; c < C; ++c)
            ${name('dx')} += row[p][q][c];
        }
    }`,
        {
          ...READING,
          'double row': {
            needs: ['n', 'i', 'j'],
            noteOf: ({ known: { n = 0, i = 0, j = 0 } }) => `row ${(n * g.oh + i) * g.ow + j}`,
          },
          [name('dx')]: { needs: ['n', 'i', 'j'], noteOf: () => 'added where windows overlap', computesCell: true },
        },
      );
    case 'dx_gather':
      return linesOf(
        `\
// dx: for each cell of x, sums dy times w over all windows that contain it
for (int n = 0; n < N; ++n)
  for (int r = 0; r < H; ++r)
    for (int s = 0; s < W; ++s)
      for (int c = 0; c < C; ++c) {
        double sum = 0;
        for (int p = 0; p < KH; ++p)
          for (int q = 0; q < KW; ++q) {
            int u = r + TOP - p*DH;
            int v = s + LEFT - q*DW;
            // no window starts here
            if (u < 0 || u % SH) continue;
            if (v < 0 || v % SW) continue;
            int i = u / SH, j = v / SW;
            if (i >= OH) continue;
            if (j >= OW) continue;
            for (${filters})
              sum += ${name('dy')} * ${name('w')};
          }
        ${name('dx')} = sum;
      }`,
        { [`${name('dx')} = sum`]: made('dx', input) },
      );
    case 'dx_full_conv':
    case 'dx_full_conv_unflipped': {
      const flipped = process === 'dx_full_conv';
      const weight = flipped ? element(g, 'w', ['KH-1-p', 'KW-1-q']) : name('w');
      return linesOf(
        `\
// ${flipped ? 'dx: dy with inserted zeros, convolved with w flipped by 180 degrees' : 'NOT dx: the same without flipping w, a common mistake'}
for (int n = 0; n < N; ++n)
  for (int r = 0; r < H; ++r)
    for (int s = 0; s < W; ++s)
      for (int c = 0; c < C; ++c) {
        double sum = 0;
        for (int p = 0; p < KH; ++p)
          for (int q = 0; q < KW; ++q) {
            int u = r + TOP - (KH-1-p)*DH;
            int v = s + LEFT - (KW-1-q)*DW;
            // an inserted zero
            if (u < 0 || u % SH) continue;
            if (v < 0 || v % SW) continue;
            int i = u / SH, j = v / SW;
            // after the last cell
            if (i >= OH) continue;
            if (j >= OW) continue;
            for (${filters})
              sum += ${name('dy')} * ${weight};
          }
        ${name('dx')} = sum;
      }`,
        { [`${name('dx')} = sum`]: flipped ? made('dx', input) : { needs: input, computesCell: true } },
      );
    }
    case 'dw_accumulate':
      return linesOf(
        `\
// dw: adds every window of x times its cell of dy
for (int n = 0; n < N; ++n)
  for (int i = 0; i < OH; ++i)
    for (int j = 0; j < OW; ++j)
      for (int k = 0; k < K; ++k)
        for (int p = 0; p < KH; ++p)
          for (int q = 0; q < KW; ++q) {
            int r = i*SH + p*DH - TOP;
            int s = j*SW + q*DW - LEFT;
            ${inside(12)}
            for (${channels})
              ${name('dw')} += ${name('x')} * ${name('dy')};
          }`,
        { ...READING, [name('dw')]: made('dy', output) },
      );
    case 'dw_dilated_dy':
      return linesOf(
        `\
// dw: for each weight, sums x times dy over all positions of the window
for (int p = 0; p < KH; ++p)
  for (int q = 0; q < KW; ++q)
    for (int k = 0; k < K; ++k)
      for (${channels}) {
        double sum = 0;
        for (int n = 0; n < N; ++n)
          for (int i = 0; i < OH; ++i)
            for (int j = 0; j < OW; ++j) {
              int r = i*SH + p*DH - TOP;
              int s = j*SW + q*DW - LEFT;
              ${inside(14)}
              sum += ${name('x')} * ${name('dy')};
            }
        ${name('dw')} = sum;
      }`,
        { ...READING, [`${name('dw')} = sum`]: made('dw', ['p', 'q', 'c', 'k']) },
      );
    case 'db_accumulate':
      return linesOf(
        `\
// db: sum of dy, because the bias is added to every cell of y
for (int n = 0; n < N; ++n)
  for (int i = 0; i < OH; ++i)
    for (int j = 0; j < OW; ++j)
      for (int k = 0; k < K; ++k)
        db[k] += ${name('dy')};`,
        { 'db[k]': made('dy', output) },
      );
  }
}
