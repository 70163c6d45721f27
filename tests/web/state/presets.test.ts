import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LESSONS } from '../../../web/src/lessons/lessons';
import { PRESET_GROUPS, type PresetGroup } from '../../../web/src/lessons/presets';
import { parseLink } from '../../../web/src/link/parse-link';

const IDS = PRESET_GROUPS.flatMap(({ presets }: PresetGroup) => presets.map(({ id }) => id));
const PRESETS = Object.entries(LESSONS).map(([id, { hash }]) => ({ id, hash }));

test('presets have names of their own', () => {
  expect(new Set(IDS).size).toBe(IDS.length);
  expect(new Set(PRESETS.map(({ id }) => id))).toEqual(new Set(IDS));
});

test.each(PRESETS)('$id is a valid link', ({ hash }) => {
  expect(parseLink(hash).complaints).toEqual([]);
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

describe('the notebook presets are the notebook cases', () => {
  const { cases } = JSON.parse(readFileSync(GOLDEN, 'utf8')) as { readonly cases: readonly NotebookCase[] };

  test.each(cases)('$name', (expected) => {
    const preset = PRESETS.find(({ id }) => id === `notebook-${expected.name.split(' ')[0]}`);
    const { desc, x, w, b, dy } = parseLink(preset?.hash ?? '?').problem;
    expect(x.shape).toEqual(expected.x_shape);
    expect(w.shape).toEqual(expected.w_shape);
    expect([desc.stride_h, desc.stride_w]).toEqual(expected.stride);
    const { top, bottom, left, right } = desc.padding;
    expect([top, bottom, left, right]).toEqual(expected.padding);
    const first = Number.parseInt(expected.w, 10);
    expect([...w.data]).toEqual(Array.from(w.data, (_, i) => first - i));
    expect([...x.data]).toEqual(Array.from(x.data, (_, i) => i));
    expect(b && [...b.data]).toEqual(expected.b);
    expect(dy).toEqual({ kind: 'ones' });
  });
});
