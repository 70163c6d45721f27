import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countOf, refusalText, shapeText } from '../../../web/src/formats/format';
import { openFile } from '../../../web/src/formats/formats';
import { writeText } from '../../../web/src/formats/write';
import { FILE_LIMITS } from '../../../web/src/protocol/file-limits';
import { type Mutated, mutatedFiles, mutatedPrints } from './mutated-files';
import { bytesFrom, readBytes } from './read';
import { sourceOf } from './source';

const RUNS = Number(process.env.CONV2D_FILES ?? 10_000);

/** True if it opened; checks the tensors. */
async function judge({ name, bytes }: Mutated): Promise<'opened' | 'refused' | 'refused when read'> {
  const sentence = (reason: string) => {
    expect(reason).not.toBe('');
    expect(reason.length).toBeLessThan(600);
    return reason;
  };
  const opened = await openFile(sourceOf(name, bytes));
  if ('refusal' in opened) {
    sentence(refusalText(opened.refusal));
    const { position } = opened.refusal;
    if (position && 'byte' in position) expect(position.byte).toBeLessThanOrEqual(2 ** 32 + bytes.length);
    return 'refused';
  }
  expect(opened.tensors.length).toBeGreaterThan(0);
  let verdict: 'opened' | 'refused when read' = 'opened';
  for (const { read, shape } of opened.tensors) {
    const tensor = await read();
    if ('refusal' in tensor) {
      sentence(refusalText(tensor.refusal));
      verdict = 'refused when read';
      continue;
    }
    expect(tensor.shape).toEqual(shape);
    expect(tensor.values.length).toBe(countOf(shape));
    expect(tensor.values.length).toBeLessThanOrEqual(FILE_LIMITS.elements);
  }
  return verdict;
}

test(`of ${RUNS.toLocaleString('en')} mutated files and texts, none throws, hangs, or is refused without a sentence`, async () => {
  const counts = { opened: 0, refused: 0, 'refused when read': 0 };
  await fc.assert(
    fc.asyncProperty(mutatedFiles, async (file) => {
      counts[await judge(file)] += 1;
    }),
    { numRuns: RUNS, seed: 15 },
  );
  console.info(JSON.stringify(counts));
  // The mutations reach both outcomes.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
}, 240_000);

test('of 5,000 mutated prints, none throws, hangs, or is refused without a sentence', async () => {
  const counts = { opened: 0, refused: 0, 'refused when read': 0 };
  await fc.assert(
    fc.asyncProperty(mutatedPrints, async (file) => {
      counts[await judge(file)] += 1;
    }),
    { numRuns: 5000, seed: 15 },
  );
  expect(counts.opened).toBeGreaterThan(1000);
  expect(counts.refused).toBeGreaterThan(1000);
});

/** Texts of the largest size, with the worst content. */
const LARGE: Readonly<Record<string, string>> = {
  spaces: `[${' '.repeat(FILE_LIMITS.characters - 2)}]`,
  'brackets that open': '['.repeat(FILE_LIMITS.characters),
  'one line of cells': '1,'.repeat(FILE_LIMITS.characters / 2),
  'many lines': '1\n'.repeat(FILE_LIMITS.characters / 2),
  'a list of digits': `[${'1,'.repeat(FILE_LIMITS.characters / 2 - 2)}1]`,
  'one number': '1'.repeat(FILE_LIMITS.characters),
  'one word': 'a'.repeat(FILE_LIMITS.characters),
  'quotation marks': `["${'\\'.repeat(FILE_LIMITS.characters - 2)}`,
  'empty lists': `[${'[],'.repeat(FILE_LIMITS.characters / 3 - 2)}]`,
  remarks: '#\n'.repeat(FILE_LIMITS.characters / 2),
  labels: 'a: None\n'.repeat(FILE_LIMITS.characters / 8),
  'tables with labels': 'a:\n1 2\n'.repeat(FILE_LIMITS.characters / 8),
  'columns of a long row': `Columns 1 to 1\n1\nColumns 2 to 900000\n${'1 '.repeat(900_000)}`,
  'many arrays': `[${'array([1]), '.repeat(FILE_LIMITS.characters / 16)}]`,
  pages: '(1,1,.,.) =\n1\n'.repeat(FILE_LIMITS.characters / 16),
  'empty lines': '\n'.repeat(FILE_LIMITS.characters),
  'brackets of sizes': '(1, 1, 1, 1, 1, '.repeat(FILE_LIMITS.characters / 16),
  prompts: '>>> a\n'.repeat(FILE_LIMITS.characters / 8),
  dashes: '- '.repeat(FILE_LIMITS.characters / 2),
};

// Worst case: numbers of one digit, half as many as characters. Work that grows with the square of a text takes hours: the test ends.
test.each(Object.entries(LARGE))('the longest text does not hang: %s', async (_, text) => {
  const result = await readBytes('large.txt', bytesFrom(text));
  expect(typeof result === 'string' ? result : result.map(({ shape }) => shapeText(shape)).join()).not.toBe('');
});

test('reads a long print of NumPy', async () => {
  const values = Float32Array.from({ length: 150_000 }, (_, index) => Math.sin(index));
  const text = writeText('numpy', { name: 'x', shape: [150, 1000], values });
  const result = await readBytes('large.txt', bytesFrom(text));
  expect(result).toMatchObject([{ shape: [150, 1000], loss: { rounded: 0 } }]);
});
