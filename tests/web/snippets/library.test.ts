import { beforeAll, expect, test } from 'vitest';
import { createConv } from '../../../web/package/index';
import { PASSES, RESULTS } from '../../../web/src/protocol/problem';
import type { CheckSubject } from '../../../web/src/snippets/check';
import { libraryJsCheck, libraryJsCode } from '../../../web/src/snippets/library';
import { load } from '../contract/support';
import { givenOf, randomDescs, subjectOf, withWrongValue } from './problems';

// Runs the exported JavaScript with this library. tests/package/snippets.test.ts runs the C++.

const PROBLEMS = 16;
let subjects: readonly CheckSubject[] = [];

beforeAll(async () => {
  const { engine } = await load('simd');
  subjects = randomDescs(PROBLEMS, 11).map((desc, at) => subjectOf(givenOf(engine, desc, at)));
});

/** What a module prints, or its error. The import is that of this project. */
async function ran(program: string): Promise<string> {
  const body = program.replace("import { createConv } from 'conv2d';\n", '');
  expect(body).not.toBe(program);
  const printed: string[] = [];
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>;
  try {
    await new AsyncFunction('createConv', 'console', body)(() => createConv({ build: 'simd' }), {
      log: (text: string) => printed.push(text),
    });
  } catch (error) {
    return String(error);
  }
  return printed.join('\n');
}

test('JavaScript computes what the page did, and refuses another number', async () => {
  for (const [at, subject] of subjects.entries()) {
    expect(await ran(libraryJsCheck(subject)), `problem ${at}`).toMatch(/^y: .*\ndx: .*\ndw: .*\ndb: .*$/);
    expect(
      await ran(libraryJsCheck(withWrongValue(subject, RESULTS[at % RESULTS.length] ?? 'y'))),
      `problem ${at}`,
    ).toMatch(/^Error: (y|dx|dw|db) differs by/);
  }
});

test('the JavaScript that is shown of one pass runs', async () => {
  for (const subject of subjects.slice(0, 4)) {
    for (const pass of PASSES) {
      const [, , ...data] = libraryJsCheck(subject).split('\n\n');
      const tensors = data[0] ?? '';
      const code = libraryJsCode(subject, pass)
        .map(({ text }) => text)
        .join('\n');
      expect(await ran(code.replace('// x, w, dy', `${tensors}\n// x, w, dy`))).toBe('');
    }
  }
});
