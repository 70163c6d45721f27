import { beforeAll, describe, expect, test } from 'vitest';
import { type ConvDesc, PASSES } from '../../../web/src/protocol/problem';
import { type CheckSubject, sumOf, type TensorLiteral } from '../../../web/src/snippets/check';
import { LANGUAGES, type LanguageId } from '../../../web/src/snippets/languages';
import { pythonCheck } from '../../../web/src/snippets/python';
import { PYTORCH } from '../../../web/src/snippets/pytorch';
import { DEFAULT_LOOP_ORDERS } from '../../../web/src/snippets/snippet';
import { TENSORFLOW } from '../../../web/src/snippets/tensorflow';
import { seedOf } from '../../e2e/support/random';
import { THOROUGH } from '../../thorough';
import { load } from '../contract/support';
import { bruteTerms, descOf } from '../geometry/arbitrary-geometry';
import { PYTHONS, pythonWith, runPrograms, STAND_INS } from '../support/python';
import { givenOf, randomDescs, subjectOf } from './problems';

// Runs the exported scripts with NumPy and PyTorch: they pass, and fail if a value is changed.

const PROBLEMS = THOROUGH ? 50 : 20;
const SEED = seedOf(20_261);
let subjects: readonly CheckSubject[] = [];

beforeAll(async () => {
  const { engine } = await load('simd');
  subjects = randomDescs(PROBLEMS, SEED).map((desc, at) => subjectOf(givenOf(engine, desc, at)));
});

const scriptOf = (id: LanguageId, subject: CheckSubject): string =>
  LANGUAGES.find((language) => language.id === id)?.check(subject, DEFAULT_LOOP_ORDERS) ?? '';

const changed = (numbers: TensorLiteral, at: number, by: number): TensorLiteral => ({
  ...numbers,
  data: numbers.data.map((value, index) => (index === at ? value + by : value)),
});

const largestOf = ({ data }: TensorLiteral): number => data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** A result with one value changed by four times the tolerance. */
function withWrongResult(subject: CheckSubject, at: number): CheckSubject {
  const wrong = at % subject.results.length;
  const results = subject.results.map((result, index) => {
    if (index !== wrong) return result;
    const { products, of } = sumOf(subject.geometry, result.name, false);
    const factors = of.map((name) => subject.inputs.find((input) => input.name === name));
    const bias = subject.inputs.find((input) => input.name === 'b');
    const sum = factors.reduce((product, factor) => product * (factor ? largestOf(factor) : 1), products);
    const largest = sum + (bias && result.name === 'y' ? largestOf(bias) : 0);
    const by = 4 * (result.bound + 1) * 2 ** -24 * largest;
    return { ...result, numbers: changed(result.numbers, at % result.numbers.data.length, by) };
  });
  return { ...subject, results };
}

const withInput = (subject: CheckSubject, name: 'x' | 'dy', at: number): CheckSubject => ({
  ...subject,
  inputs: subject.inputs.map((input) => (input.name === name ? changed(input, at, 1) : input)),
});

test('the problems have all options', () => {
  const geometries = subjects.map(({ geometry }) => geometry);
  const count = (is: (g: (typeof geometries)[number]) => boolean) => geometries.filter(is).length;
  const counts = {
    nhwc: count(({ layout }) => layout === 'nhwc'),
    nchw: count(({ layout }) => layout === 'nchw'),
    asymmetric: count(({ padding: p }) => p.top !== p.bottom || p.left !== p.right),
    symmetric: count(({ padding: p }) => p.top === p.bottom && p.left === p.right && p.top + p.left > 0),
    dilated: count((g) => g.dilation_h * g.dilation_w > 1),
    grouped: count((g) => g.groups > 1),
    strided: count((g) => g.stride_h * g.stride_w > 1),
    unequal: count((g) => g.stride_h !== g.stride_w),
    remainder: count((g) => g.remainder_h + g.remainder_w > 0),
    biased: subjects.filter(({ bias }) => bias).length,
    unbiased: subjects.filter(({ bias }) => !bias).length,
  };
  for (const [what, found] of Object.entries(counts)) expect(found, what).toBeGreaterThanOrEqual(5);
});

describe.each(PYTHONS)('%s', (id, module, debian, before) => {
  const python = pythonWith(module, debian);

  test.skipIf(!python)('random problems pass, and fail when one number is changed', { timeout: 240_000 }, () => {
    const right = subjects.map((subject) => scriptOf(id, subject));
    const wrong = subjects.map((subject, at) => scriptOf(id, withWrongResult(subject, at)));
    const cells = subjects.map(({ geometry: g }, at) => at % (g.n * g.h * g.w * g.c));
    const otherX = subjects.map((subject, at) => scriptOf(id, withInput(subject, 'x', cells[at] ?? 0)));
    const otherDy = subjects.map((subject) => scriptOf(id, withInput(subject, 'dy', 0)));
    const said = runPrograms(python ?? '', [...right, ...wrong, ...otherX, ...otherDy], before);
    const part = (number: number) => said.slice(PROBLEMS * number, PROBLEMS * (number + 1));
    const all = (what: RegExp, number: number) => part(number).filter((text) => !what.test(text));
    expect(all(/^passed$/, 0), `seed ${SEED}`).toEqual([]);
    expect(all(/^refused: (y|dx|dw|db) differs by/, 1), `seed ${SEED}`).toEqual([]);
    // A value of x that no window reads has no effect.
    part(2).forEach((text, at) => {
      const read = bruteTerms(subjects[at]?.geometry ?? never()).some(({ x }) => x === cells[at]);
      expect(text, `x[${cells[at]}] of ${right[at]}`).toMatch(read ? /^refused: (y|dw) differs by/ : /^passed$/);
    });
    expect(all(/^refused: (dx|dw|db) differs by/, 3), `seed ${SEED}`).toEqual([]);
  });

  test.skipIf(!python)(
    'what is shown of one pass runs by itself, and numbers too many to read are exact',
    {
      timeout: 240_000,
    },
    async () => {
      const single = subjects
        .slice(0, 12)
        .flatMap((subject) =>
          PASSES.map((pass) =>
            scriptOf(id, { ...subject, results: subject.results.filter((one) => one.pass === pass) }),
          ),
        );
      const { engine } = await load('simd');
      const many = subjectOf(givenOf(engine, descOf({ layout: 'nhwc', n: 1, h: 40, w: 41, c: 3, k: 4, groups: 1 }), 4));
      expect(scriptOf(id, many)).toContain('b64decode');
      const programs = [...single, scriptOf(id, many), scriptOf(id, withWrongResult(many, 1))];
      const said = runPrograms(python ?? '', programs, before);
      expect(said.slice(0, -1).filter((text) => text !== 'passed')).toEqual([]);
      expect(said.at(-1)).toMatch(/^refused: dx differs by/);
    },
  );
});

// The tab shows another program than the check of TensorFlow runs: the calls of an engineer, which may need a GPU.
describe('the code for TensorFlow', () => {
  const python = pythonWith('torch', 'python3-torch');
  const { checkedCode: _, ...SHOWN } = TENSORFLOW;
  const on = (desc: Partial<ConvDesc>) => descOf({ h: 6, w: 5, padding_mode: 'same', ...desc });
  const codeOf = (subject: CheckSubject) =>
    SHOWN.code(subject, ['forward'])
      .map(({ text }) => text)
      .join('\n');

  test.skipIf(!python)('passes, and fails when one number is changed', { timeout: 240_000 }, async () => {
    const { engine } = await load('simd');
    const depthwise = (['nhwc', 'nchw'] as const).flatMap((layout) => [
      on({ layout, c: 3, k: 6, groups: 3 }),
      on({ layout, c: 3, k: 3, groups: 3, stride_h: 1, stride_w: 1, dilation_h: 2, dilation_w: 2 }),
      on({ layout, c: 2, k: 4, groups: 2, stride_h: 1 }),
    ]);
    const all = [...subjects, ...depthwise.map((desc, at) => subjectOf(givenOf(engine, desc, at)))];
    const used = all.map(codeOf).join('\n');
    for (const call of ['depthwise_conv2d(', '"SAME"', '"VALID"', '[[0, 0], ', 'dilations=', '"NCHW"'])
      expect(used).toContain(call);
    const programs = [...all, ...all.map(withWrongResult)].map((subject) => pythonCheck(SHOWN, subject));
    const said = runPrograms(python ?? '', programs, `${STAND_INS}\nsys.modules["tensorflow"].cpu = False`);
    expect(said.slice(0, all.length).filter((text) => text !== 'passed')).toEqual([]);
    expect(said.slice(all.length).filter((text) => !/^refused: (y|dx|dw|db) differs by/.test(text))).toEqual([]);
  });

  test('is one call where the padding is that of SAME or none', async () => {
    const { engine } = await load('simd');
    const code = (desc: Partial<ConvDesc>) =>
      codeOf(subjectOf(givenOf(engine, on(desc), 1)))
        .split('\n')
        .at(-1);
    expect(code({})).toBe('y = tf.nn.conv2d(x, w, strides=[2, 2], padding="SAME")');
    expect(code({ padding_mode: 'valid' })).toBe('y = tf.nn.conv2d(x, w, strides=[2, 2], padding="VALID")');
  });
});

test('the code for PyTorch is one call in its own layout', async () => {
  const { engine } = await load('simd');
  const subject = subjectOf(givenOf(engine, descOf({ layout: 'nchw' }), 1));
  const lines = PYTORCH.code(subject, ['forward']).map(({ text }) => text);
  expect(lines.at(-1)).toBe('y = F.conv2d(x, w, stride=2, padding=1)');
  expect(lines.join('\n')).not.toContain('permute');
});

const never = (): never => {
  throw new Error('fewer problems than answers');
};
