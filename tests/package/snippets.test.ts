// The programs for the C++ library that the tab Code of the page exports, with the built library.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PASSES } from '../../web/src/protocol/problem';
import { RESULTS } from '../../web/src/protocol/tensors';
import type { CheckSubject } from '../../web/src/snippets/check';
import { libraryCppCheck, libraryCppCode } from '../../web/src/snippets/library';
import { load } from '../web/contract/support';
import { returnedBy } from '../web/snippets/compile';
import { givenOf, randomDescs, subjectOf, withWrongValue } from '../web/snippets/problems';
import { BUILD_FOLDER, cmakeCacheEntry, ROOT } from './build';

const LIBRARY = [`-I${join(ROOT, 'cpp/include')}`, join(BUILD_FOLDER, 'cpp/libconv2d.a'), '-pthread'];

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
