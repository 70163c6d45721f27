import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { OUTSIDE, terms } from '../../../web/src/geometry/terms';
import type { ComputeRequest } from '../../../web/src/protocol/messages';
import type { GridName, TensorName } from '../../../web/src/protocol/problem';
import { shapeSize, wShape, xShape, yShape } from '../../../web/src/protocol/shapes';
import { arbitraryDesc, cellOf, geometryOf } from '../geometry/arbitrary-geometry';
import { descIn, makeRequest } from './requests';
import { type Loaded, layerIn, load, VARIANTS } from './support';

const MADE = ['y', 'dx', 'dw', 'db', 'dx_col', 'y_col', 'dw_col'] as const;
const PER_PROBLEM = 8;

interface Example {
  readonly given: Readonly<Record<string, Float32Array>>;
  readonly request: ComputeRequest;
  /** Selects the cells: any large number. */
  readonly picks: readonly { readonly grid: (typeof MADE)[number]; readonly at: number }[];
}

/** A random problem with random tensors: small integers, for exact sums, or floats. */
function exampleOf(numbers: fc.Arbitrary<number>): fc.Arbitrary<Example> {
  const tensor = (length: number) =>
    fc.array(numbers, { minLength: length, maxLength: length }).map((values) => Float32Array.from(values));
  return arbitraryDesc.chain((desc) => {
    const shape = yShape(desc);
    return fc
      .record({
        x: tensor(shapeSize(xShape(desc))),
        w: tensor(shapeSize(wShape(desc))),
        b: tensor(desc.k),
        dy: tensor(shapeSize(shape)),
        picks: fc.array(fc.record({ grid: fc.constantFrom(...MADE), at: fc.nat() }), {
          minLength: PER_PROBLEM,
          maxLength: PER_PROBLEM,
        }),
      })
      .map(({ picks, ...given }) => ({
        given,
        request: makeRequest(desc, {
          ...{ x: given.x, w: given.w, b: given.b },
          loss: { kind: 'given', dy: { kind: 'values', shape, data: given.dy } },
        }),
        picks,
      }));
  });
}

const whole = exampleOf(fc.integer({ min: -9, max: 9 }));
const real = exampleOf(fc.float({ min: -2, max: 2, noNaN: true }));

describe.each(VARIANTS)('explained cells, %s', (variant) => {
  let loaded: Loaded;
  beforeAll(async () => {
    loaded = await load(variant);
  });

  /** For one cell: the kernel's value, the sum of its explained terms, and the sum of their absolute values. */
  function explained({
    given,
    request,
    picks,
  }: Example): readonly { value: number; told: number; size: number; of: string }[] {
    const { tensors } = layerIn(loaded.engine.compute(request, 1));
    const found = (['dx_col', 'y_col', 'dw_col'] as const).map((stage) => ({
      stage,
      tensor: loaded.engine.ask(1, { kind: 'stage', stage, order: 'kh_kw_c', transposed: false }),
    }));
    const dataOf = (grid: GridName): Float32Array => {
      const data =
        given[grid] ?? tensors[grid as TensorName]?.data ?? found.find(({ stage }) => stage === grid)?.tensor.data;
      if (!data) throw new Error(`no ${grid}`);
      return data;
    };
    return picks.map(({ grid, at }) => {
      const values = dataOf(grid);
      const index = at % values.length;
      const page = terms(geometryOf(descIn(request)), cellOf(grid, index));
      if (!page) throw new Error(`${grid} is not explained`);
      const factor = (of: GridName, i: number) => (i === OUTSIDE ? 0 : (dataOf(of)[i] ?? Number.NaN));
      const parts = Array.from(page.index_a, (a, t) => {
        const other = page.b ? factor(page.b, page.index_b[t] ?? OUTSIDE) : 1;
        return factor(page.a, a) * other;
      });
      if (page.bias) parts.push(dataOf(page.bias.tensor)[page.bias.index] ?? Number.NaN);
      return {
        value: values[index] ?? Number.NaN,
        told: parts.reduce((sum, part) => sum + part, 0),
        size: parts.reduce((sum, part) => sum + Math.abs(part), 0),
        of: `${grid}[${index}]`,
      };
    });
  }

  test('the terms add up exactly to the kernel’s value for integers', () => {
    fc.assert(
      fc.property(whole, (example) => {
        for (const { value, told, of } of explained(example)) expect(told, of).toBe(value);
      }),
      { numRuns: 60 },
    );
  });

  test('the terms add up to the kernel’s value within float32 rounding for floats', () => {
    fc.assert(
      fc.property(real, (example) => {
        for (const { value, told, size, of } of explained(example))
          expect(Math.abs(told - value), of).toBeLessThanOrEqual(64 * 2 ** -24 * size + 2 ** -140);
      }),
      { numRuns: 60 },
    );
  });

  test('the terms of other weights do not add up', () => {
    const [example] = fc.sample(whole, { numRuns: 1, seed: 7 });
    if (!example) throw new Error('no example');
    const picks = Array.from({ length: 40 }, (_, at) => ({ grid: 'y', at }) as const);
    const w = Float32Array.from({ length: shapeSize(wShape(descIn(example.request))) }, (_, i) => 0.5 + i);
    const wrong = explained({ ...example, picks, given: { ...example.given, w } }).filter(
      ({ told, value }) => told !== value,
    );
    expect(wrong.length).toBeGreaterThan(0);
  });
});
