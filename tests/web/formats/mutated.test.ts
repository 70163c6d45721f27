import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countOf, sentenceOf, shapeText } from '../../../web/src/formats/format';
import { openFile } from '../../../web/src/formats/formats';
import { writeText } from '../../../web/src/formats/write';
import { FILE_LIMITS } from '../../../web/src/protocol/file-limits';
import { HANG, timed } from '../link/processor-time';
import { type Mutated, mutatedFiles } from './mutated-files';
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
    sentence(sentenceOf(opened.refusal));
    const { position } = opened.refusal;
    if (position && 'byte' in position) expect(position.byte).toBeLessThanOrEqual(2 ** 32 + bytes.length);
    return 'refused';
  }
  expect(opened.tensors.length).toBeGreaterThan(0);
  let verdict: 'opened' | 'refused when read' = 'opened';
  for (const { read, shape } of opened.tensors) {
    const tensor = await read();
    if ('refusal' in tensor) {
      sentence(sentenceOf(tensor.refusal));
      verdict = 'refused when read';
      continue;
    }
    expect(tensor.shape).toEqual(shape);
    expect(tensor.values.length).toBe(countOf(shape));
    expect(tensor.values.length).toBeLessThanOrEqual(FILE_LIMITS.elements);
  }
  return verdict;
}

test(`of ${RUNS.toLocaleString('en')} mutated files and texts, none throws, takes long, or is refused without a sentence`, async () => {
  const counts = { opened: 0, refused: 0, 'refused when read': 0 };
  let longest = 0;
  await fc.assert(
    fc.asyncProperty(mutatedFiles, async (file) => {
      const { result, milliseconds } = await timed(() => judge(file));
      counts[result] += 1;
      longest = Math.max(longest, milliseconds);
      expect(milliseconds).toBeLessThan(HANG);
    }),
    { numRuns: RUNS, seed: 15 },
  );
  console.info(`${JSON.stringify(counts)}, the longest ${longest.toFixed(1)} ms`);
  // The mutations reach both outcomes.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
}, 240_000);

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
};

// Worst case: numbers of one digit, half as many as characters.
test.each(Object.entries(LARGE))('the longest text does not hang: %s', async (_, text) => {
  const { result, milliseconds } = await timed(() => readBytes('large.txt', bytesFrom(text)));
  const said = typeof result === 'string' ? result : result.map(({ shape }) => shapeText(shape)).join();
  console.info(`${said.slice(0, 80)}, ${milliseconds.toFixed(0)} ms`);
  expect(milliseconds).toBeLessThan(HANG);
});

test('reads a long print of NumPy', async () => {
  const values = Float32Array.from({ length: 150_000 }, (_, index) => Math.sin(index));
  const text = writeText('numpy', { name: 'x', shape: [150, 1000], values });
  const { result, milliseconds } = await timed(() => readBytes('large.txt', bytesFrom(text)));
  console.info(`${text.length} characters in ${milliseconds.toFixed(0)} ms`);
  expect(result).toMatchObject([{ shape: [150, 1000], loss: { rounded: 0 } }]);
  expect(milliseconds).toBeLessThan(HANG);
});
