import { flat, isPadded, type Texts } from '../layers/code';
import { type Geometry, type Pass, RESULT_OF, type ResultName } from '../protocol/problem';
import { type CheckSubject, type LossCheck, largestText, listText, sumOf, type TensorLiteral } from './check';
import { makes } from './python';
import { type CodeLine, codeShape, fill, indented, linesOf, listing, lossOf, type Subject } from './snippet';

/** The passes with this library, from C++ and from JavaScript. */

/** The line of the call: its note has the cell of the result, or of dy. */
const computed = (pass: Pass) => (pass === 'forward' ? makes('y') : makes(RESULT_OF[pass], 'dy'));

/** Members of a descriptor that differ from their default. */
const given = (members: Readonly<Record<string, number>>, initial = 1): string =>
  Object.entries(members)
    .flatMap(([name, value]) => (value === initial ? [] : [`.${name} = ${value}`]))
    .join(', ');

/** Members of ConvDesc or ChainDesc for the input. */
export const inputMembers = (g: Geometry): readonly string[] => [
  ...(g.layout === 'nchw' ? ['.layout = conv2d::Layout::nchw'] : []),
  ...[given({ n: g.n, h: g.h, w: g.w, c: g.c })].filter(Boolean),
];

/** Members of ConvDesc for the windows. */
export function windowMembers(g: Geometry): readonly string[] {
  const { stride_h, stride_w, dilation_h, dilation_w, groups } = g;
  return [
    given({ k: g.k, kh: g.kh, kw: g.kw }),
    given({ stride_h, stride_w, dilation_h, dilation_w, groups }),
    isPadded(g) ? `.padding = {${given({ ...g.padding }, 0)}}` : '',
  ].filter(Boolean);
}

const CALLS: Readonly<Record<Pass, (bias: boolean) => string>> = {
  forward: (bias) => `x, w, ${bias ? 'b' : '{}'}, y`,
  backward_data: () => 'dy, w, dx',
  backward_weights: () => 'x, dy, dw',
  backward_bias: () => 'dy, db',
};

/** Runs the plan `plan`; an expression of its status. */
const cppRun = (pass: Pass, bias: boolean): string =>
  `conv2d::${pass}(*plan, ${CALLS[pass](bias)}, {.workspace = workspace})`;

const WORKSPACE = 'std::vector<float> workspace(plan->workspace_floats());';

const cppDesc = (g: Geometry): string => {
  const members = [...inputMembers(g), ...windowMembers(g)].map((member) => `    ${member},`);
  return `const conv2d::ConvDesc desc{\n${members.join('\n')}\n};`;
};

const CPP = `\
#include <conv2d/conv2d.hpp>
{include}#include <vector>

// Fields that are 1 or 0 are left out.
{desc}
const auto plan = conv2d::plan(desc, conv2d::Pass::{pass});
// Here: return if !plan.ok(); plan.status().message has the reason.
{loss}std::vector<float> {name}(plan->geometry().result_size(conv2d::Pass::{pass}));
${WORKSPACE}
{status} = {run};`;

/** `x`, `w`, `b` and `dy` are ranges of floats. */
export function libraryCppCode(subject: Subject, pass: Pass): readonly CodeLine[] {
  const { geometry, bias } = subject;
  const loss = lossOf(subject, [pass]);
  const status = loss ? 'if (status.ok()) status' : 'const auto status';
  const text = fill(CPP, {
    status,
    ...{ pass, name: RESULT_OF[pass], desc: cppDesc(geometry), run: cppRun(pass, bias) },
    include: loss ? '#include <conv2d_teach/losses.hpp>\n' : '',
    loss: loss ? `${fill(CPP_LOSS, { loss })}\n` : '',
  });
  return linesOf(text, { [status]: computed(pass) });
}

/** `y` and `target` are vectors. */
const CPP_LOSS = `
// dy: gradient of the loss between y, the result of the forward pass, and target
const auto channels = conv2d::LossChannels::of(plan->geometry());
const auto loss = conv2d::loss_value<float>("{loss}", y, target, channels);
std::vector<float> dy(y.size());
auto status = conv2d::loss_gradient<float>("{loss}", y, target, dy, channels);`;

/** Compares the loss and dy with those at the y of the page; both are float32. An expression of the channels of y. */
export const cppLossChecks = (loss: LossCheck, channels: string, y: string, dy: string): readonly string[] => [
  '',
  '// dy is the gradient of the loss, at the y of the page.',
  `std::vector<float> loss_dy(${y}.size());`,
  `const auto loss = conv2d::loss_value<float>("${loss.kind}", ${y}, target, ${channels});`,
  'if (!loss.ok()) return failed(loss.status());',
  `const auto status = conv2d::loss_gradient<float>("${loss.kind}", ${y}, target, loss_dy, ${channels});`,
  'if (!status.ok()) return failed(status);',
  ...loss.sums(dy).map(({ name, bound, ...sum }) => {
    const most = largestText(sum, (tensor) => `largest(${tensor})`, '.0');
    return `good &= check("${name.replace('page_', '')}", ${name}, ${name === dy ? 'loss_dy' : '{*loss}'}, ${bound}, ${most});`;
  }),
];

/** Each pass in a block of its own; gradients stay for the checks. */
const CPP_RUN = `
std::vector<float> {name};
{
  const auto plan = conv2d::plan(desc, conv2d::Pass::{pass}, {.algorithm = "{algorithm}"});
  if (!plan.ok()) return failed(plan.status());
  {name}.resize(page_{name}.size());
  ${WORKSPACE}
  if (const auto status = {run}; !status.ok()) return failed(status);
}`;

/** The tolerance of two results with the same error bound: twice that of one. */
const BOTH = [
  'Both results are float32 and of the same algorithm, which declares that no value differs from the exact one by more',
  'than bound * 2^-24 times the largest sum that values of this size can give.',
];

/** A constant with the values. */
export const vectorText = (numbers: Omit<TensorLiteral, 'name'>, name: string): string =>
  `const std::vector<float> ${name} = {\n${listText(numbers, '    ')}\n};`;

const FUNCTIONS = `\
int failed(const conv2d::Status& status) {
  std::fprintf(stderr, "%s\\n", status.message.c_str());
  return 1;
}

double largest(const std::vector<float>& numbers) {
  double most = 0;
  for (float number : numbers) most = std::max(most, std::abs(double{number}));
  return most;
}
`;

const CHECK = `\
bool check(const char* name, const std::vector<float>& page, const std::vector<float>& here, double bound, double most) {
  const double tolerance = 2 * (bound + 1) * std::ldexp(1.0, -24) * most;
  double difference = page.size() == here.size() ? 0 : HUGE_VAL;
  for (std::size_t at = 0; at < std::min(page.size(), here.size()); ++at)
    difference = std::max(difference, std::abs(double{page[at]} - double{here[at]}));
  std::printf("%s: largest difference %g, tolerance %g\\n", name, difference, tolerance);
  return difference <= tolerance;
}
`;

/** target and the loss of the page. */
export const vectorsOf = (loss: LossCheck | null): readonly string[] =>
  (loss?.given ?? []).map((numbers) => vectorText(numbers, numbers.name));

/** The functions of a check, the last one with a comment. */
export const cppFunctions = (comment: readonly string[]): string =>
  `${FUNCTIONS}\n${comment.map((line) => `// ${line}`).join('\n')}\n${CHECK}`;

export function libraryCppCheck({ geometry: g, bias, inputs, results, ofLoss }: CheckSubject): string {
  const runs = results.map(({ pass, name, algorithm }) =>
    fill(CPP_RUN, { pass, name, algorithm, run: cppRun(pass, bias) }),
  );
  const checks = results.map(({ name, bound }) => {
    const most = largestText(sumOf(g, name, bias), (one) => `largest(${one})`, '.0');
    return `good &= check("${name}", page_${name}, ${name}, ${bound}, ${most});`;
  });
  const end = ofLoss
    ? cppLossChecks(
        ofLoss,
        `conv2d::LossChannels::of(conv2d::Layout::${g.layout}, {${codeShape(g, 'y').join(', ')}})`,
        'page_y',
        'dy',
      )
    : [];
  return `\
// Compares the results of the conv2d playground with this library. Fails if they differ by more than rounding.
#include <algorithm>
#include <cmath>
#include <conv2d/conv2d.hpp>
${ofLoss ? '#include <conv2d_teach/losses.hpp>\n' : ''}#include <cstddef>
#include <cstdio>
#include <vector>

// The exact float32 values of the page.
${inputs.map((numbers) => vectorText(numbers, numbers.name)).join('\n')}
${[...results.map(({ name, numbers }) => vectorText(numbers, `page_${name}`)), ...vectorsOf(ofLoss)].join('\n')}

${cppFunctions(BOTH)}
int main() {
${indented(flat([cppDesc(g), runs, '', 'bool good = true;', checks, end, 'return good ? 0 : 1;'])).join('\n')}
}
`;
}

/** The options of a call, after its tensors. */
function jsOptions(g: Geometry): Texts {
  const pad = g.padding;
  const pair = (rows: number, cols: number) => (rows === cols ? String(rows) : `[${rows}, ${cols}]`);
  const sides = Object.entries(pad).map(([name, cells]) => `${name}: ${cells}`);
  const same = new Set(Object.values(pad)).size === 1;
  return [
    g.layout === 'nchw' && "layout: 'nchw'",
    g.stride_h * g.stride_w > 1 && `stride: ${pair(g.stride_h, g.stride_w)}`,
    g.dilation_h * g.dilation_w > 1 && `dilation: ${pair(g.dilation_h, g.dilation_w)}`,
    g.groups > 1 && `groups: ${g.groups}`,
    isPadded(g) && `padding: ${same ? pad.top : `{ ${sides.join(', ')} }`}`,
  ];
}

const JS_START = ["import { createConv } from 'conv2d';", '', 'const conv = await createConv();'];

const JS_RUNS = `
         | const layer = { {layer} };
y        | const y = conv.forward({forward});
backward | const { {gradients} } = conv.backward({
backward |   ...layer, dy, of: [{list}],{algorithms}
backward | });`;

/** The layer, and the calls of some passes; `algorithms`: by result, or the fastest. */
function jsRuns(
  { geometry: g, bias }: Subject,
  passes: readonly Pass[],
  algorithms: Readonly<Partial<Record<ResultName, string>>> = {},
): readonly string[] {
  const gradients = passes.flatMap((pass) => (pass === 'forward' ? [] : [RESULT_OF[pass]]));
  const named = gradients.flatMap((name) => (algorithms[name] ? [`${name}: '${algorithms[name]}'`] : []));
  const forward = flat(['...layer', bias && 'b', algorithms.y && `algorithm: '${algorithms.y}'`]).join(', ');
  return listing(
    JS_RUNS,
    { y: passes.includes('forward'), backward: gradients.length > 0 },
    {
      layer: flat(['x, w', jsOptions(g)]).join(', '),
      forward: forward.includes(',') ? `{ ${forward} }` : 'layer',
      gradients: gradients.join(', '),
      list: gradients.map((name) => `'${name}'`).join(', '),
      algorithms: named.length > 0 ? ` algorithm: { ${named.join(', ')} },` : '',
    },
  );
}

const JS_TENSORS = '// x, w, dy: { shape, data: Float32Array }; b: Float32Array';

export const libraryJsCode = (subject: Subject, pass: Pass): readonly CodeLine[] =>
  linesOf([...JS_START, JS_TENSORS, ...jsRuns(subject, [pass])], {
    'const y =': computed(pass),
    [`const { ${RESULT_OF[pass]} }`]: computed(pass),
  });

export function libraryJsCheck({ geometry, bias, inputs, results }: CheckSubject): string {
  const floats = (numbers: TensorLiteral) => `Float32Array.of(\n${listText(numbers, '  ')}\n)`;
  const shaped = (numbers: TensorLiteral) =>
    numbers.name === 'b' ? floats(numbers) : `{ shape: [${numbers.sizes.join(', ')}], data: ${floats(numbers)} }`;
  const algorithms = Object.fromEntries(results.map(({ name, algorithm }) => [name, algorithm]));
  const largest = (name: string) => `largest(${name === 'b' ? name : `${name}.data`})`;
  const checks = results.map(({ name, bound }) => {
    const most = largestText(sumOf(geometry, name, bias), largest, '.0');
    return `check('${name}', page_${name}, ${name}.data, ${bound}, ${most});`;
  });
  return `\
// Compares the results of the conv2d playground with this library. Throws if they differ by more than rounding.
${JS_START.join('\n')}

// The exact float32 values of the page.
${inputs.map((numbers) => `const ${numbers.name} = ${shaped(numbers)};`).join('\n')}
${results.map(({ name, numbers }) => `const page_${name} = ${floats(numbers)};`).join('\n')}

${jsRuns(
  { geometry, bias },
  results.map(({ pass }) => pass),
  algorithms,
).join('\n')}
conv.dispose();

function largest(numbers) {
  return numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
}

${BOTH.map((line) => `// ${line}`).join('\n')}
function check(name, page, here, bound, most) {
  const tolerance = 2 * (bound + 1) * 2 ** -24 * most;
  if (page.length !== here.length) throw new Error(\`\${name} has \${here.length} values in place of \${page.length}\`);
  const difference = page.reduce((worst, value, at) => Math.max(worst, Math.abs(value - here[at])), 0);
  if (!(difference <= tolerance)) throw new Error(\`\${name} differs by \${difference}, tolerance \${tolerance}\`);
  console.log(\`\${name}: largest difference \${difference}, tolerance \${tolerance}\`);
}

${checks.join('\n')}
`;
}
