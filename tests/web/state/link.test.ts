import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { editCell, editDySource, editPicture, editSource, withAlgorithm } from '../../../web/src/state/edits';
import { loadSamples } from '../../../web/src/state/generate';
import { linkOf } from '../../../web/src/state/link';
import { parseLink } from '../../../web/src/state/parse-link';
import { decodeValues, encodeValues } from '../../../web/src/state/payload';
import { defaultProblem, type Problem, withDesc } from '../../../web/src/state/problem';
import { arbitraryDesc, descOf } from '../geometry/arbitrary-geometry';

beforeAll(loadSamples);

const problemOf = (edited: ReturnType<typeof editCell>): Problem => {
  if ('error' in edited) throw new Error(edited.error.message);
  return edited.problem;
};

const reopened = (problem: Problem): Problem => {
  const { hash, omitted } = linkOf(problem);
  const { problem: parsed, complaints } = parseLink(`#${hash}`);
  expect(complaints).toEqual([]);
  expect(omitted).toEqual([]);
  return parsed;
};

/** Padding that is not read (another mode is on) does not travel. */
const comparable = (problem: Problem): unknown => ({
  ...problem,
  desc: problem.desc.padding_mode === 'explicit_sides' ? problem.desc : { ...problem.desc, padding: null },
});

describe('a link', () => {
  test('of the default problem is readable', () => {
    expect(linkOf(defaultProblem()).hash).toBe(
      'v=1&h=7&w=7&kh=3&kw=3&stride=2&padding=1&x=ramp&weights=countdown:12&dy=ones',
    );
    expect(parseLink('').problem).toEqual(defaultProblem());
  });

  test('gives every descriptor back', () => {
    fc.assert(
      fc.property(arbitraryDesc, (desc) => {
        const problem = withDesc(defaultProblem(), desc);
        expect(comparable(reopened(problem))).toEqual(comparable(problem));
      }),
    );
  });

  test('gives edited cells, bias, dy and algorithms back', () => {
    let problem = withDesc(defaultProblem(), descOf({ c: 2, k: 3, n: 2 }));
    problem = problemOf(editCell(problem, 'x', 5, -0.1, null));
    problem = problemOf(editCell(problem, 'w', 1, -300, null));
    problem = problemOf(editSource(problem, 'b', { kind: 'random', seed: 9 }));
    problem = problemOf(editCell(problem, 'dy', 3, 2, null));
    problem = withAlgorithm(problem, 'forward', 'im2col_gemm');
    expect(reopened(problem)).toEqual(problem);
  });

  test.each([
    { kind: 'random', seed: 5 },
    { kind: 'one_hot', index: 3 },
    { kind: 'mse', target: null },
    { kind: 'log_cosh', target: Float32Array.from({ length: 16 }, (_, i) => i / 3) },
  ] as const)('gives dy $kind back', (dy) => {
    const problem = problemOf(editDySource(defaultProblem(), dy));
    expect(reopened(problem).dy).toEqual(dy);
  });

  test('of a sample names it; of an opened file it says what is missing', () => {
    const picture = { h: 64, w: 64, channels: 3 } as const;
    const sample = problemOf(
      editPicture(defaultProblem(), { ...picture, source: { kind: 'sample', name: 'portrait' } }),
    );
    expect(linkOf(sample).hash).toContain('x=sample:portrait');
    expect(reopened(sample).x.data).toEqual(sample.x.data);
    const data = new Float32Array(64 * 64 * 3);
    const file = problemOf(
      editPicture(defaultProblem(), { ...picture, source: { kind: 'file', name: 'a.png', data } }),
    );
    expect(linkOf(file).omitted).toEqual(['x']);
    expect(parseLink(linkOf(file).hash).complaints).toEqual([]);
  });

  test('may be typed by hand', () => {
    const { problem, complaints } = parseLink('h=5&kernel=2&s=2x1&p=same&d=1&g=1');
    expect(complaints).toEqual([]);
    expect(problem.desc).toMatchObject({ h: 5, w: 5, kh: 2, kw: 2, stride_h: 2, stride_w: 1, padding_mode: 'same' });
  });

  test('with nonsense in it says what was ignored and keeps the rest', () => {
    const { problem, complaints } = parseLink(
      'h=6&kh=two&stride=1.5&colour=red&x=noise&dy=one_hot:999&padding=1,2&weights=ones~i8.!!',
    );
    expect(problem.desc).toMatchObject({ h: 6, kh: 3, stride_h: 1 });
    expect(problem.x.source).toEqual({ kind: 'ramp', from: 0 });
    expect(problem.dy).toEqual({ kind: 'ones' });
    expect(complaints).toHaveLength(7);
    expect(complaints).toContain('"colour=red" in the link is unknown and was ignored.');
    expect(complaints).toContain('kh is "two" in the link, but must be a whole number; it was ignored.');
  });

  test('whose sizes do not go together opens the default problem', () => {
    const { problem, complaints } = parseLink('h=3&kh=9');
    expect(problem).toEqual(defaultProblem());
    expect(complaints[0]).toMatch(/do not go together \(kh is 9/);
  });

  test('of a newer version is read as far as possible', () => {
    const { problem, complaints } = parseLink('v=2&h=5&kh=3');
    expect(problem.desc.h).toBe(5);
    expect(complaints).toHaveLength(1);
  });

  test('never throws', () => {
    const text = fc.oneof(
      fc.string(),
      fc
        .array(
          fc.tuple(
            fc.constantFrom('v', 'h', 'w', 'kh', 'stride', 'padding', 'x', 'weights', 'dy', 'n', 'groups'),
            fc.string(),
          ),
        )
        .map((parts) => parts.map(([key, value]) => `${key}=${value}`).join('&')),
    );
    fc.assert(
      fc.property(text, (hash) => {
        expect(parseLink(hash).problem.desc).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe('payloads', () => {
  test('give every float back', () => {
    fc.assert(
      fc.property(fc.float32Array(), (values) => {
        expect(decodeValues(encodeValues(values), values.length)).toEqual(values);
      }),
    );
  });

  test('are short for small whole numbers', () => {
    expect(encodeValues(Float32Array.of(1, 2, -3))).toBe('i8.AQL9');
  });

  test('of another length, or no payload, are refused', () => {
    expect(decodeValues('i8.AQL9', 2)).toBeNull();
    expect(decodeValues('i8.AQL', 3)).toBeNull();
    expect(decodeValues('u9.AQL9', 3)).toBeNull();
    expect(decodeValues('i8.A', 1)).toBeNull();
  });
});
