// The programs for the C++ library that the tab Code of the page exports, with the built library.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PASSES, RESULTS } from '../../web/src/protocol/problem';
import type { CheckSubject } from '../../web/src/snippets/check';
import { libraryCppCheck, libraryCppCode } from '../../web/src/snippets/library';
import { libraryNetworkCheck, libraryNetworkCode } from '../../web/src/snippets/library-network';
import { layersOf } from '../../web/src/snippets/network';
import { load } from '../web/contract/support';
import { returnedBy } from '../web/snippets/compile';
import { networkShown, networkSubject, withWrongTensor } from '../web/snippets/networks';
import { givenOf, randomDescs, subjectOf, withWrongValue } from '../web/snippets/problems';
import { BUILD_FOLDER, cmakeCacheEntry, ROOT } from './build';

const archive = (name: string) => join(BUILD_FOLDER, `cpp/lib${name}.a`);
const INCLUDE = `-I${join(ROOT, 'cpp/include')}`;
const LIBRARY = [INCLUDE, archive('conv2d'), '-pthread'];
const TEACH = [INCLUDE, archive('conv2d_teach'), archive('conv2d'), '-pthread'];

/** What is shown of one pass, with the values of the check. */
function shown(subject: CheckSubject, at: number): string {
  const code = libraryCppCode(subject, PASSES[at % PASSES.length] ?? 'forward').map(({ text }) => text);
  const values = libraryCppCheck(subject).split('\n\n')[1] ?? '';
  const [head = '', body = ''] = code.join('\n').split('\n// Fields');
  return `${head}\n${values}\nint main() {\n// Fields${body}\nreturn status.ok() ? 0 : 1;\n}`;
}

it('compute what the page did, without a warning, and refuse another number', async () => {
  const { engine } = await load('simd');
  const subjects = randomDescs(8, 11).map((desc, at) => subjectOf(givenOf(engine, desc, at)));
  const wrong = subjects.map((subject, at) => withWrongValue(subject, RESULTS[at % RESULTS.length] ?? 'y'));
  const programs = [...subjects.map(libraryCppCheck), ...wrong.map(libraryCppCheck), ...subjects.map(shown)];
  expect(returnedBy(cmakeCacheEntry('CMAKE_CXX_COMPILER'), programs, ['-std=c++20', ...LIBRARY])).toEqual([
    ...subjects.map(() => 0),
    ...wrong.map(() => 1),
    ...subjects.map(() => 0),
  ]);
});

it('compute all layers of a network, layer by layer and as one chain', async () => {
  const { engine } = await load('simd');
  const real = Array.from({ length: 8 }, (_, at) => networkShown(engine, 40 + at, false));
  const subjects = real.map(networkSubject);
  const checks = [...subjects, ...subjects.map(withWrongTensor)].map(libraryNetworkCheck);
  // What is shown is the whole chain; whole numbers have no rounding, so that no layer chooses another cell.
  const shown = Array.from({ length: 8 }, (_, at) => networkShown(engine, 40 + at, true)).map((network) => {
    const { given, steps } = networkSubject(network);
    const [head = '', body = ''] = libraryNetworkCode(layersOf(network) ?? [])
      .map(({ text }) => text)
      .join('\n')
      .split('\n// Fields');
    const dy = steps.at(-1)?.names.dy;
    const isInput = (name: string) => name === dy || /^(x|[wb]\d)$/.test(name);
    const list = (data: Float32Array) =>
      `{${Array.from(data, (value) => `${value}${Number.isInteger(value) ? '.0' : ''}F`).join(', ')}}`;
    const inputs = given.filter(({ name }) => isInput(name));
    const results = given.filter(({ name }) => !isInput(name));
    return `#include <cstdint>\n${head}
int main() {
${inputs.map(({ name, data }) => `${name === dy ? '' : 'const '}std::vector<float> ${name}${list(data)};`).join('\n')}
// Fields${body}
if (!status.ok()) return 2;
${results.map(({ name, data }) => `if (${name} != std::vector<float>${list(data)}) return 1;`).join('\n')}
return 0;
}`;
  });
  expect(returnedBy(cmakeCacheEntry('CMAKE_CXX_COMPILER'), [...checks, ...shown], ['-std=c++20', ...TEACH])).toEqual([
    ...subjects.map(() => 0),
    ...subjects.map(() => 1),
    ...shown.map(() => 0),
  ]);
});
