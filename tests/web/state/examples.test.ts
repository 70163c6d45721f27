import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '../../../web/src/lessons/examples';
import { parseLink } from '../../../web/src/link/parse-link';
import { partsOf } from '../support/problems';

const ALL = EXAMPLES.flatMap(({ examples }) => examples);

test('all examples differ', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(23);
  for (const text of ['title', 'sentence', 'link'] as const) {
    expect(new Set(ALL.map((example) => example[text])).size, text).toBe(ALL.length);
  }
});

test.each(ALL)('$title is a valid link', ({ link }) => {
  expect(parseLink(link).complaints).toEqual([]);
});

interface NotebookCase {
  readonly name: string;
  readonly x_shape: readonly number[];
  readonly w_shape: readonly number[];
  readonly stride: readonly number[];
  readonly padding: readonly number[];
  /** "30, 29, 28, ... row-major" */
  readonly w: string;
  readonly b: readonly number[] | null;
}

const GOLDEN = new URL('../../golden/notebook.json', import.meta.url);

describe('the examples of the notebook are the notebook cases', () => {
  const { cases } = JSON.parse(readFileSync(GOLDEN, 'utf8')) as { readonly cases: readonly NotebookCase[] };

  test.each(cases)('$name', (expected) => {
    const example = EXAMPLES.at(-1)?.examples[Number.parseInt(expected.name, 10) - 1];
    const { desc, x, w, b, loss } = partsOf(parseLink(example?.link ?? '?').problem);
    expect(x.shape).toEqual(expected.x_shape);
    expect(w.shape).toEqual(expected.w_shape);
    expect([desc.stride_h, desc.stride_w]).toEqual(expected.stride);
    const { top, bottom, left, right } = desc.padding;
    expect([top, bottom, left, right]).toEqual(expected.padding);
    const first = Number.parseInt(expected.w, 10);
    expect([...w.data]).toEqual(Array.from(w.data, (_, i) => first - i));
    expect([...x.data]).toEqual(Array.from(x.data, (_, i) => i));
    expect(b && [...b.data]).toEqual(expected.b);
    expect(loss).toEqual({ kind: 'given', dy: { kind: 'ones' } });
  });
});
