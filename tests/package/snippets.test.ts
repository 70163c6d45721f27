// The programs for the C++ library that the tab Code of the page exports, with the built library.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LOSS_KINDS } from '../../web/src/losses/list';
import { PASSES, RESULTS } from '../../web/src/protocol/problem';
import type { CheckSubject, LossCheck } from '../../web/src/snippets/check';
import { libraryCppCheck, libraryCppCode } from '../../web/src/snippets/library';
import { libraryNetworkCheck, libraryNetworkCode } from '../../web/src/snippets/library-network';
import { layersOf } from '../../web/src/snippets/network';
import { load } from '../web/contract/support';
import { returnedBy } from '../web/snippets/compile';
import { networkShown, networkSubject, withWrongTensor } from '../web/snippets/networks';
import { givenOf, randomDescs, subjectOf, withOtherLoss, withWrongValue } from '../web/snippets/problems';
import { BUILD_FOLDER, cmakeCacheEntry, ROOT } from './build';

const archive = (name: string) => join(BUILD_FOLDER, `cpp/lib${name}.a`);
const INCLUDE = `-I${join(ROOT, 'cpp/include')}`;
const TEACH = [INCLUDE, archive('conv2d_teach'), archive('conv2d'), '-pthread'];

/** Fails if the code has another `loss` than the page. */
const lossAssertion = (ofLoss: LossCheck): string =>
  `if (!(std::abs(*loss - ${ofLoss.given.find(({ name }) => name === 'page_loss')?.data[0]}) <= 1e-5)) return 3;`;

/** What is shown of one pass, with the values of the check. */
function shown(subject: CheckSubject, at: number): string {
  const { geometry, bias, ofLoss } = subject;
  const pass = PASSES[at % PASSES.length] ?? 'forward';
  const code = libraryCppCode({ geometry, bias, loss: ofLoss?.kind }, pass).map(({ text }) => text);
  const given = libraryCppCheck(subject).split('\n\n')[1] ?? '';
  // With a loss, dy is computed from y.
  const isOfLoss = ofLoss !== null && pass !== 'forward';
  const values = isOfLoss
    ? given.replace(/ (page_y|dy) =/g, (_, name) => (name === 'dy' ? ' page_dy =' : ' y ='))
    : given;
  const [head = '', body = ''] = code.join('\n').split('\n// Fields');
  const valueAt = isOfLoss ? `${lossAssertion(ofLoss)}\n` : '';
  return `#include <cmath>\n${head}\n${values}\nint main() {\n// Fields${body}\n${valueAt}return status.ok() ? 0 : 1;\n}`;
}

it('compute what the page did, without a warning, and refuse another number', async () => {
  const { engine } = await load('simd');
  const losses = [undefined, ...LOSS_KINDS];
  const subjects = randomDescs(10, 11).map((desc, at) =>
    subjectOf(givenOf(engine, desc, at, losses[at % losses.length])),
  );
  const wrong = subjects.map((subject, at) => withWrongValue(subject, RESULTS[at % RESULTS.length] ?? 'y'));
  const ofLosses = subjects.filter(({ ofLoss }) => ofLoss);
  const programs = [
    ...[...subjects, ...wrong, ...ofLosses.map(withOtherLoss)].map(libraryCppCheck),
    ...subjects.map(shown),
  ];
  expect(returnedBy(cmakeCacheEntry('CMAKE_CXX_COMPILER'), programs, ['-std=c++20', ...TEACH])).toEqual([
    ...subjects.map(() => 0),
    ...wrong.map(() => 1),
    ...ofLosses.map(() => 1),
    ...subjects.map(() => 0),
  ]);
});

it('compute all layers of a network, layer by layer and as one chain', async () => {
  const { engine } = await load('simd');
  const real = Array.from({ length: 8 }, (_, at) => networkShown(engine, 40 + at, false));
  const ofLosses = LOSS_KINDS.map((kind, at) => networkShown(engine, 50 + at, false, kind));
  const subjects = real.map(networkSubject);
  const lossSubjects = ofLosses.map(networkSubject);
  const checks = [
    ...[...subjects, ...lossSubjects],
    ...[...subjects.map(withWrongTensor), ...lossSubjects.map(withOtherLoss)],
  ].map(libraryNetworkCheck);
  // What is shown is the whole chain; whole numbers have no rounding, so that no layer chooses another cell.
  const exact = Array.from({ length: 8 }, (_, at) => networkShown(engine, 40 + at, true));
  const shown = [...exact, ...ofLosses].map((network) => {
    const { given, steps, ofLoss } = networkSubject(network);
    const [head = '', body = ''] = libraryNetworkCode(layersOf(network) ?? [])
      .map(({ text }) => text)
      .join('\n')
      .split('\n// Fields');
    const dy = steps.at(-1)?.names.dy;
    const isInput = (name: string) => (name === dy && !ofLoss) || /^(x|[wb]\d)$/.test(name);
    const list = (data: Float32Array) =>
      `{${Array.from(data, (value) => `${value}${Number.isInteger(value) ? '.0' : ''}F`).join(', ')}}`;
    const [target] = ofLoss?.given ?? [];
    const inputs = [...given.filter(({ name }) => isInput(name)), ...(target ? [target] : [])];
    const results = given.filter(({ name }) => !isInput(name) && !ofLoss);
    const loss = ofLoss ? lossAssertion(ofLoss) : '';
    return `#include <cmath>\n#include <cstdint>\n${head}
int main() {
${inputs.map(({ name, data }) => `${name === dy ? '' : 'const '}std::vector<float> ${name}${list(data)};`).join('\n')}
// Fields${body}
if (!status.ok()) return 2;
${loss}
${results.map(({ name, data }) => `if (${name} != std::vector<float>${list(data)}) return 1;`).join('\n')}
return 0;
}`;
  });
  expect(returnedBy(cmakeCacheEntry('CMAKE_CXX_COMPILER'), [...checks, ...shown], ['-std=c++20', ...TEACH])).toEqual([
    ...[...subjects, ...lossSubjects].map(() => 0),
    ...[...subjects, ...lossSubjects].map(() => 1),
    ...shown.map(() => 0),
  ]);
});
