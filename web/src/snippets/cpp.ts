import { floatText } from '../formats/number-text';
import { LOSS_CODE } from '../losses/code';
import { isPerPosition, type LossKind } from '../losses/list';
import { type Geometry, type Pass, type ProcessName, TENSORS, type TensorName } from '../protocol/problem';
import {
  type CheckSubject,
  type LossCheck,
  largestText,
  listText,
  sumOf,
  type TensorLiteral,
  TOLERANCE,
} from './check';
import {
  type CodeLine,
  elementText,
  fill,
  type IndexName,
  indented,
  type LineContext,
  type LoopOrders,
  linesOf,
  listing,
  lossOf,
  type Subject,
  termsOf,
  textsOf,
} from './snippet';

/** The passes as plain loops in C++, in the order of the page's players. */

const SIZES = `
       | // sizes of x, w and y
       | const int N = {n}, H = {h}, W = {w}, C = {c};
       | const int KH = {kh}, KW = {kw}, K = {k};
       | const int OH = {oh}, OW = {ow};
       | // stride, dilation, padding before x
       | const int SH = {stride_h}, SW = {stride_w};
       | const int DH = {dilation_h}, DW = {dilation_w};
       | const int TOP = {top}, LEFT = {left};
groups | // channels and filters of a group
groups | const int GC = {group_c}, GK = {group_k};`;

/** The sizes, named as in the loops. */
export function cppSizes(geometry: Geometry): readonly CodeLine[] {
  const { flags, values } = termsOf({ geometry, bias: false });
  return linesOf(listing(SIZES, flags, values));
}

export function cppCode(subject: Subject, wanted: readonly Pass[], ways: LoopOrders): readonly CodeLine[] {
  const { geometry, bias } = subject;
  const loss = lossOf(subject, wanted);
  const loops = wanted.map((pass) => loopsOf(geometry, bias, ways[pass]));
  return [...(loss ? [lossLoops(geometry, loss)] : []), ...loops].flatMap((lines, at) =>
    at > 0 ? [...linesOf(''), ...lines] : lines,
  );
}

/** The loss, and dy as its gradient, for y and a target of its shape. */
function lossLoops(g: Geometry, loss: LossKind): readonly CodeLine[] {
  const y = element(g, 'y');
  const values = { y, target: y.replace('y', 'target'), dy: element(g, 'dy'), first: y.replace('[k]', '[0]') };
  const lines = fill(LOSS_CODE[loss].loops, values).split('\n');
  return linesOf([
    `// dy: gradient of the loss at y, a mean over COUNT ${isPerPosition(loss) ? 'positions' : 'cells'}`,
    `const double COUNT = ${isPerPosition(loss) ? 'N * OH * OW' : 'N * OH * OW * K'};`,
    'double loss = 0;',
    withLoops(lines, false),
  ]);
}

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

/** Extents of the loops. In groups, `C` and `K` are those of the group of the filter `k` and of the channel `c`. */
const EXTENTS = { n: 'N', i: 'OH', j: 'OW', k: 'K', p: 'KH', q: 'KW', r: 'H', s: 'W', c: 'C' };
const IN_GROUPS = {
  K: 'int k = c / GC * GK; k < (c / GC + 1) * GK; ++k',
  C: 'int c = k / GK * GC; c < (k / GK + 1) * GC; ++c',
};

/** Replaces "for n i j" by loops inside one another, with braces around more than one statement. */
function withLoops(lines: readonly string[], isGrouped: boolean): readonly string[] {
  const [line = '', ...rest] = lines;
  const names = /^for ([a-zCK](?: [a-zCK])*)$/.exec(line)?.[1]?.split(' ');
  if (lines.length === 0) return [];
  if (!names) return [line, ...withLoops(rest, isGrouped)];
  const end = rest.findIndex((one) => !one.startsWith('  '));
  const inside = rest.slice(0, end === -1 ? undefined : end).map((one) => one.slice(2));
  const isOne = inside.filter((one) => !one.startsWith('  ')).length === 1;
  const loops = names.reduceRight(
    (body: readonly string[], name, at) => {
      const index = name.toLowerCase();
      const own = isGrouped ? IN_GROUPS[name as 'K'] : undefined;
      const head = `for (${own ?? `int ${index} = 0; ${index} < ${EXTENTS[index as IndexName]}; ++${index}`})`;
      const isBraced = at === names.length - 1 && !isOne;
      return [isBraced ? `${head} {` : head, ...indented(body), ...(isBraced ? ['}'] : [])];
    },
    withLoops(inside, isGrouped),
  );
  return [...loops, ...withLoops(end === -1 ? [] : rest.slice(end), isGrouped)];
}

/** The cell of x under a tap of the window. */
const TAP = `\
int r = i*SH + p*DH - TOP;
int s = j*SW + q*DW - LEFT;
// in the padding: 0
if (r < 0 || r >= H) continue;
if (s < 0 || s >= W) continue;`;

/** dx as a sum over the windows that contain a cell. */
const GATHER = `
dx_gather              | // dx: for each cell of x, sums dy times w over all windows that contain it
dx_full_conv           | // dx: dy with inserted zeros, convolved with w flipped by 180 degrees
dx_full_conv_unflipped | // NOT dx: the same without flipping w, a common mistake
                       | for n r s c
                       |   double sum = 0;
                       |   for p q
                       |     int u = r + TOP - {p}*DH;
                       |     int v = s + LEFT - {q}*DW;
dx_gather              |     // no window starts here
full                   |     // an inserted zero
                       |     if (u < 0 || u % SH) continue;
                       |     if (v < 0 || v % SW) continue;
                       |     int i = u / SH, j = v / SW;
full                   |     // after the last cell
                       |     if (i >= OH) continue;
                       |     if (j >= OW) continue;
                       |     for K
                       |       sum += {dy} * {weight};
                       |   {dx} = sum;`;

/** The loops of each process, without braces: "for n i j" stands for three loops. */
const LOOPS: Readonly<Record<ProcessName, string>> = {
  forward: `
| // y: sum of the window of x at (i, j) times w
| for n i j k
|   double sum = {start};
|   for p q
|     {tap}
|     for C
|       sum += {x} * {w};
|   {y} = sum;`,
  dx_scatter: `
| // dx: adds each cell of dy times w to the window of x that it came from
| for n i j k p q
|   {tap}
|   for C
|     {dx} += {dy} * {w};`,
  dx_col2im: `
| // dx: adds each row of dx_col = dy_col * w_col^T to its window
| for n i j
|   // a row of dx_col
|   double row[KH][KW][C] = {};
|   for p q c K
|     row[p][q][c] += {dy} * {w};
|   for p q
|     {tap}
|     for c
|       {dx} += row[p][q][c];`,
  dx_gather: GATHER,
  dx_full_conv: GATHER,
  dx_full_conv_unflipped: GATHER,
  dw_accumulate: `
| // dw: adds every window of x times its cell of dy
| for n i j k p q
|   {tap}
|   for C
|     {dw} += {x} * {dy};`,
  dw_dilated_dy: `
| // dw: for each weight, sums x times dy over all positions of the window
| for p q k C
|   double sum = 0;
|   for n i j
|     {tap}
|     sum += {x} * {dy};
|   {dw} = sum;`,
  db_accumulate: `
| // db: sum of dy, because the bias is added to every cell of y
| for n i j k
|   {db} += {dy};`,
};

/** The line of each process that computes a cell: its beginning, the indices that it needs, and the tensor of its note. */
const COMPUTED: Readonly<Record<ProcessName, readonly [line: string, needs: string, told?: TensorName]>> = {
  forward: ['{y} = sum', 'n i j k', 'y'],
  dx_scatter: ['{dx}', 'n i j k', 'dy'],
  dx_col2im: ['{dx}', 'n i j'],
  dx_gather: ['{dx} = sum', 'n r s c', 'dx'],
  dx_full_conv: ['{dx} = sum', 'n r s c', 'dx'],
  dx_full_conv_unflipped: ['{dx} = sum', 'n r s c'],
  dw_accumulate: ['{dw}', 'n i j k', 'dy'],
  dw_dilated_dy: ['{dw} = sum', 'p q c k', 'dw'],
  db_accumulate: ['{db}', 'n i j k', 'dy'],
};

function loopsOf(g: Geometry, bias: boolean, process: ProcessName): readonly CodeLine[] {
  const full = process.startsWith('dx_full');
  const taps = full ? (['KH-1-p', 'KW-1-q'] as const) : (['p', 'q'] as const);
  const [p, q] = full ? taps.map((tap) => `(${tap})`) : taps;
  const values = {
    ...Object.fromEntries(TENSORS.map((tensor) => [tensor, element(g, tensor)])),
    ...{ tap: TAP, start: bias ? 'b[k]' : '0', p: p ?? '', q: q ?? '' },
    weight: element(g, 'w', process === 'dx_full_conv' ? taps : undefined),
  };
  const lines = listing(LOOPS[process], { [process]: true, full }, values);
  const [start, needs, told] = COMPUTED[process];
  const [line = ''] = listing(`| ${start}`, {}, values);
  const noteOf = (facts: LineContext) =>
    told
      ? elementText(facts, told, (indices) => indices.map((index) => `[${index}]`).join(''))
      : 'added where windows overlap';
  const hasNote = told || process === 'dx_col2im';
  return linesOf(withLoops(lines, g.groups > 1), {
    'int r =': { needs: ['r'] },
    'int s =': { needs: ['s'] },
    'double row': {
      needs: ['n', 'i', 'j'],
      noteOf: ({ known: { n = 0, i = 0, j = 0 } }) => `row ${(n * g.oh + i) * g.ow + j}`,
    },
    [line]: { needs: needs.split(' ') as IndexName[], computesCell: true, ...(hasNote && { noteOf }) },
  });
}

/** A program that computes the passes with loops and fails if the page's results differ. */
export function cppCheck({ geometry: g, bias, inputs, results, ofLoss }: CheckSubject, ways: LoopOrders): string {
  const passes = results.map(({ pass }) => pass);
  const extents = ({ sizes }: TensorLiteral) => sizes.map((size) => `[${size}]`).join('');
  const flat = ({ data }: TensorLiteral, name: string, values: string) =>
    `const float page_${name}[${data.length}] = {\n${values}\n};`;
  const array = (numbers: TensorLiteral) => `double ${numbers.name}${extents(numbers)};`;
  const checks = results.map(({ name, bound, algorithm }) => {
    const sum = largestText(sumOf(g, name, bias), (tensor) => `largest(page_${tensor})`, '.0');
    return `  good &= check("${name}", page_${name}, &${name}${'[0]'.repeat(name === 'db' ? 1 : 4)}, ${bound}, ${sum});  // ${algorithm}`;
  });
  const target = ofLoss?.given.filter(({ name }) => name === 'target') ?? [];
  const all = [...inputs, ...target, ...results.map(({ numbers }) => numbers)];
  const end = ofLoss ? lossChecks(g, ofLoss) : [];
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
${[...inputs, ...target].map(({ name, sizes }) => `  std::copy(std::begin(page_${name}), std::end(page_${name}), &${name}${'[0]'.repeat(sizes.length)});`).join('\n')}

${indented(textsOf(cppCode({ geometry: g, bias }, passes, ways))).join('\n')}

  bool good = true;
${[...checks, ...indented(end)].join('\n')}
  return good ? 0 : 1;
}
`;
}

/** Compares the loss and dy with those at the y of the page. */
function lossChecks(g: Geometry, loss: LossCheck): readonly string[] {
  const value = loss.given.find(({ name }) => name === 'page_loss')?.data[0] ?? 0;
  return [
    '',
    'std::copy(std::begin(page_y), std::end(page_y), &y[0][0][0][0]);',
    ...textsOf(lossLoops(g, loss.kind)),
    `const float page_loss[1] = {${floatText(value)}};`,
    ...loss.sums('page_dy').map(({ name, bound, ...sum }) => {
      const most = largestText(sum, (tensor) => `largest(${tensor})`, '.0');
      const here = name === 'page_dy' ? '&dy[0][0][0][0]' : '&loss';
      return `good &= check("${name.replace('page_', '')}", ${name}, ${here}, ${bound}, ${most});`;
    }),
  ];
}
