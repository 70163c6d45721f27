import { type CheckSubject, sumOf, TOLERANCE } from './check';
import { cppCode, cppSizes } from './cpp';
import { listText, type TensorLiteral } from './literal';
import type { LoopOrders } from './snippet';

/** A program that computes the passes with loops and fails if the page's results differ. */
export function cppCheck({ geometry: g, bias, inputs, results }: CheckSubject, ways: LoopOrders): string {
  const passes = results.map(({ pass }) => pass);
  const lines = (list: readonly { readonly text: string }[], indent = '') =>
    list.map(({ text }) => (text === '' ? '' : indent + text)).join('\n');
  const extents = ({ sizes }: TensorLiteral) => sizes.map((size) => `[${size}]`).join('');
  const flat = ({ data }: TensorLiteral, name: string, values: string) =>
    `const float page_${name}[${data.length}] = {\n${values}\n};`;
  const array = (numbers: TensorLiteral) => `double ${numbers.name}${extents(numbers)};`;
  const largest = (of: readonly string[]) => of.map((name) => `largest(page_${name})`).join(' * ');
  const checks = results.map(({ name, bound, algorithm }) => {
    const { products, of } = sumOf(g, name);
    const sum = `${products}.0 * ${largest(of)}${name === 'y' && bias ? ' + largest(page_b)' : ''}`;
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

${lines(cppSizes(g))}

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

${lines(cppCode({ geometry: g, bias }, passes, ways), '  ')}

  bool good = true;
${checks.join('\n')}
  return good ? 0 : 1;
}
`;
}
