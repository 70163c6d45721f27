import type { Geometry, Pass, ProcessName, TensorName } from '../protocol/problem';
import { type CheckSubject, largestText, listText, sumOf, type TensorLiteral, TOLERANCE } from './check';
import {
  type CodeLine,
  elementText,
  type IndexName,
  indented,
  type LineMarks,
  type LoopOrders,
  linesOf,
  type Subject,
  textsOf,
} from './snippet';

/** The passes as plain loops in C++, in the order of the page's players. */

/** The sizes, named as in the loops. */
export const cppSizes = ({ padding: pad, ...g }: Geometry): readonly CodeLine[] =>
  linesOf([
    '// sizes of x, w and y',
    `const int N = ${g.n}, H = ${g.h}, W = ${g.w}, C = ${g.c};`,
    `const int KH = ${g.kh}, KW = ${g.kw}, K = ${g.k};`,
    `const int OH = ${g.oh}, OW = ${g.ow};`,
    '// stride, dilation, padding before x',
    `const int SH = ${g.stride_h}, SW = ${g.stride_w};`,
    `const int DH = ${g.dilation_h}, DW = ${g.dilation_w};`,
    `const int TOP = ${pad.top}, LEFT = ${pad.left};`,
    g.groups > 1 && ['// channels and filters of a group', `const int GC = ${g.group_c}, GK = ${g.group_k};`],
  ]);

export const cppCode = ({ geometry, bias }: Subject, wanted: readonly Pass[], ways: LoopOrders): readonly CodeLine[] =>
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

const made = (tensor: TensorName, needs: readonly IndexName[]): LineMarks[string] => ({
  needs,
  noteOf: (facts) => elementText(facts, tensor, (indices) => indices.map((index) => `[${index}]`).join('')),
  computesCell: true,
});

const SIZES = { n: 'N', i: 'OH', j: 'OW', k: 'K', p: 'KH', q: 'KW', r: 'H', s: 'W', c: 'C' };

/** Loops inside one another, with braces around more than one statement. A statement is a line or a loop. */
function loops(heads: readonly string[], ...body: readonly (string | readonly string[])[]): readonly string[] {
  const [first = '', ...rest] = heads;
  const inside = rest.length > 0 ? [loops(rest, ...body)] : body;
  const lines = indented(inside.flat());
  return inside.length === 1 ? [`for (${first})`, ...lines] : [`for (${first}) {`, ...lines, '}'];
}

/** The comment, the loops and the marks of each process. */
function loopsOf(g: Geometry, bias: boolean, process: ProcessName): readonly CodeLine[] {
  const at = (tensor: TensorName) => element(g, tensor);
  const [x, w, b, y] = [at('x'), at('w'), at('b'), at('y')];
  const [dx, dw, db, dy] = [at('dx'), at('dw'), at('db'), at('dy')];
  const over = (names: string): readonly string[] =>
    names.split(' ').map((name) => `int ${name} = 0; ${name} < ${SIZES[name as IndexName]}; ++${name}`);
  const channels = g.groups === 1 ? over('c') : ['int c = k / GK * GC; c < (k / GK + 1) * GC; ++c'];
  const filters = g.groups === 1 ? over('k') : ['int k = c / GC * GK; k < (c / GC + 1) * GK; ++k'];
  const sum = 'double sum = 0;';
  /** The cell of x under a tap of the window. */
  const tap = [
    ...['int r = i*SH + p*DH - TOP;', 'int s = j*SW + q*DW - LEFT;'],
    ...['// in the padding: 0', 'if (r < 0 || r >= H) continue;', 'if (s < 0 || s >= W) continue;'],
  ];
  /** dx as a sum over the windows that contain a cell. */
  const gather = (p: string, q: string, weight: string, between: string, after: readonly string[]) =>
    loops(
      over('n r s c'),
      sum,
      loops(
        over('p q'),
        ...[`int u = r + TOP - ${p}*DH;`, `int v = s + LEFT - ${q}*DW;`],
        ...[between, 'if (u < 0 || u % SH) continue;', 'if (v < 0 || v % SW) continue;'],
        ...['int i = u / SH, j = v / SW;', ...after, 'if (i >= OH) continue;', 'if (j >= OW) continue;'],
        loops(filters, `sum += ${dy} * ${weight};`),
      ),
      `${dx} = sum;`,
    );
  const output: readonly IndexName[] = ['n', 'i', 'j', 'k'];
  const input: readonly IndexName[] = ['n', 'r', 's', 'c'];
  const of = (comment: string, lines: readonly string[], marks: LineMarks) =>
    linesOf([`// ${comment}`, ...lines], { 'int r =': { needs: ['r'] }, 'int s =': { needs: ['s'] }, ...marks });
  switch (process) {
    case 'forward':
      return of(
        'y: sum of the window of x at (i, j) times w',
        loops(
          over('n i j k'),
          `double sum = ${bias ? b : '0'};`,
          loops(over('p q'), ...tap, loops(channels, `sum += ${x} * ${w};`)),
          `${y} = sum;`,
        ),
        { [`${y} = sum`]: made('y', output) },
      );
    case 'dx_scatter':
      return of(
        'dx: adds each cell of dy times w to the window of x that it came from',
        loops(over('n i j k p q'), ...tap, loops(channels, `${dx} += ${dy} * ${w};`)),
        { [dx]: made('dy', output) },
      );
    case 'dx_col2im':
      return of(
        'dx: adds each row of dx_col = dy_col * w_col^T to its window',
        loops(
          over('n i j'),
          ...['// a row of dx_col', 'double row[KH][KW][C] = {};'],
          loops([...over('p q c'), ...filters], `row[p][q][c] += ${dy} * ${w};`),
          loops(over('p q'), ...tap, loops(over('c'), `${dx} += row[p][q][c];`)),
        ),
        {
          'double row': {
            needs: ['n', 'i', 'j'],
            noteOf: ({ known: { n = 0, i = 0, j = 0 } }) => `row ${(n * g.oh + i) * g.ow + j}`,
          },
          [dx]: { needs: ['n', 'i', 'j'], noteOf: () => 'added where windows overlap', computesCell: true },
        },
      );
    case 'dx_gather':
      return of(
        'dx: for each cell of x, sums dy times w over all windows that contain it',
        gather('p', 'q', w, '// no window starts here', []),
        { [`${dx} = sum`]: made('dx', input) },
      );
    case 'dx_full_conv':
    case 'dx_full_conv_unflipped': {
      const flipped = process === 'dx_full_conv';
      const taps = ['KH-1-p', 'KW-1-q'] as const;
      const weight = flipped ? element(g, 'w', taps) : w;
      return of(
        flipped
          ? 'dx: dy with inserted zeros, convolved with w flipped by 180 degrees'
          : 'NOT dx: the same without flipping w, a common mistake',
        gather(`(${taps[0]})`, `(${taps[1]})`, weight, '// an inserted zero', ['// after the last cell']),
        { [`${dx} = sum`]: flipped ? made('dx', input) : { needs: input, computesCell: true } },
      );
    }
    case 'dw_accumulate':
      return of(
        'dw: adds every window of x times its cell of dy',
        loops(over('n i j k p q'), ...tap, loops(channels, `${dw} += ${x} * ${dy};`)),
        { [dw]: made('dy', output) },
      );
    case 'dw_dilated_dy':
      return of(
        'dw: for each weight, sums x times dy over all positions of the window',
        loops(
          [...over('p q k'), ...channels],
          sum,
          loops(over('n i j'), ...tap, `sum += ${x} * ${dy};`),
          `${dw} = sum;`,
        ),
        { [`${dw} = sum`]: made('dw', ['p', 'q', 'c', 'k']) },
      );
    case 'db_accumulate':
      return of(
        'db: sum of dy, because the bias is added to every cell of y',
        loops(over('n i j k'), `${db} += ${dy};`),
        { [db]: made('dy', output) },
      );
  }
}

/** A program that computes the passes with loops and fails if the page's results differ. */
export function cppCheck({ geometry: g, bias, inputs, results }: CheckSubject, ways: LoopOrders): string {
  const passes = results.map(({ pass }) => pass);
  const extents = ({ sizes }: TensorLiteral) => sizes.map((size) => `[${size}]`).join('');
  const flat = ({ data }: TensorLiteral, name: string, values: string) =>
    `const float page_${name}[${data.length}] = {\n${values}\n};`;
  const array = (numbers: TensorLiteral) => `double ${numbers.name}${extents(numbers)};`;
  const checks = results.map(({ name, bound, algorithm }) => {
    const sum = largestText(sumOf(g, name, bias), (tensor) => `largest(page_${tensor})`, '.0');
    return `  good &= check("${name}", page_${name}, &${name}${'[0]'.repeat(name === 'db' ? 1 : 4)}, ${bound}, ${sum});  // ${algorithm}`;
  });
  const all = [...inputs, ...results.map(({ numbers }) => numbers)];
  return `\
// Compares the results of the conv2d playground with plain loops. Fails if they differ by more than rounding.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <iterator>

${textsOf(cppSizes(g)).join('\n')}

// The exact float32 values of the page.
${all.map((numbers) => flat(numbers, numbers.name, listText(numbers, '    '))).join('\n')}

${all.map(array).join('\n')}

template <std::size_t Size>
double largest(const float (&numbers)[Size]) {
  double most = 0;
  for (float number : numbers) most = std::max(most, std::abs(double(number)));
  return most;
}

${TOLERANCE.map((line) => `// ${line}`).join('\n')}
template <std::size_t Size>
bool check(const char* name, const float (&page)[Size], const double* here, double bound, double largest) {
  const double tolerance = (bound + 1) * std::ldexp(1.0, -24) * largest;
  double difference = 0;
  for (std::size_t at = 0; at < Size; ++at) difference = std::max(difference, std::abs(page[at] - here[at]));
  std::printf("%s: largest difference %g, tolerance %g\\n", name, difference, tolerance);
  return difference <= tolerance;
}

int main() {
${inputs.map(({ name, sizes }) => `  std::copy(std::begin(page_${name}), std::end(page_${name}), &${name}${'[0]'.repeat(sizes.length)});`).join('\n')}

${indented(textsOf(cppCode({ geometry: g, bias }, passes, ways))).join('\n')}

  bool good = true;
${checks.join('\n')}
  return good ? 0 : 1;
}
`;
}
