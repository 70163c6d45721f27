import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { weightIndexOf } from '../../../web/src/geometry/conv-matrix';
import { gridOf } from '../../../web/src/geometry/grid';
import type { Adjoint } from '../../../web/src/protocol/questions';
import { shapeSize, wShape, xShape } from '../../../web/src/protocol/shapes';
import { arbitraryDesc } from '../geometry/arbitrary-geometry';
import { makeRequest } from './requests';
import { type Loaded, layerIn, load, numbers, VARIANTS } from './support';

/** Small integers of both signs and zeros: every sum is exact. */
const whole = (length: number, salt: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => ((i * 7 + salt * 5) % 11) - 5);

describe.each(VARIANTS)('the adjoint identity, %s', (variant) => {
  let loaded: Loaded;
  beforeAll(async () => {
    loaded = await load(variant);
  });
  const ask = (revision: number) => loaded.engine.ask(revision, { kind: 'adjoint' } as never) as unknown as Adjoint;

  test('both sides equal those of the matrix C as the page draws it', () => {
    let revision = 0;
    fc.assert(
      fc.property(arbitraryDesc, fc.boolean(), (desc, biased) => {
        revision += 1;
        const [x, w] = [shapeSize(xShape(desc)), shapeSize(wShape(desc))];
        const values = { x: whole(x, 1), w: whole(w, 2) };
        const b = biased ? whole(desc.k, 3) : null;
        const request = makeRequest(desc, {
          ...values,
          b,
          loss: { kind: 'given', dy: { kind: 'random', seed: revision } },
        });
        const { geometry: g, tensors } = layerIn(loaded.engine.compute(request, revision));
        const { row: rows, col: cols } = gridOf(g, 'C').size;
        const indexOf = weightIndexOf(g);
        const dy = numbers(tensors.dy?.data);
        const [cx, back] = [new Float64Array(g.n * rows), new Float64Array(g.n * cols)];
        for (let n = 0; n < g.n; n += 1) {
          for (let row = 0; row < rows; row += 1) {
            for (let col = 0; col < cols; col += 1) {
              const at = indexOf(row, col);
              if (at < 0) continue;
              const entry = values.w[at] ?? Number.NaN;
              cx[n * rows + row] = (cx[n * rows + row] ?? 0) + entry * (values.x[n * cols + col] ?? Number.NaN);
              back[n * cols + col] = (back[n * cols + col] ?? 0) + entry * (dy[n * rows + row] ?? Number.NaN);
            }
          }
        }
        // A row times x, with b where there is one, is y; a column times dy is dx.
        const bias = (i: number) => b?.[g.layout === 'nhwc' ? i % g.k : Math.floor(i / (g.oh * g.ow)) % g.k] ?? 0;
        expect(numbers(tensors.y?.data)).toEqual(Array.from(cx, (value, i) => value + bias(i)));
        back.forEach((value, i) => {
          expect(tensors.dx?.data[i], `dx ${i}`).toBeCloseTo(value, 3);
        });
        const [left, right] = [
          cx.reduce((sum, value, i) => sum + value * (dy[i] ?? 0), 0),
          back.reduce((sum, value, i) => sum + value * (values.x[i] ?? 0), 0),
        ];
        const size = cx.reduce((sum, value, i) => sum + Math.abs(value * (dy[i] ?? 0)), 1);
        const adjoint = ask(revision);
        expect(Math.abs(adjoint.forward - left) / size).toBeLessThan(1e-6);
        expect(Math.abs(adjoint.backward - right) / size).toBeLessThan(1e-5);
        expect(adjoint.relative).toBeLessThan(1e-5);
      }),
      { numRuns: variant === 'simd' ? 150 : 30 },
    );
  });

  test('restores y and b', () => {
    const request = makeRequest(undefined, { b: Float32Array.of(100) });
    const { tensors } = layerIn(loaded.engine.compute(request, 9001));
    const cells = tensors.y?.data.length ?? 0;
    const index_a = Int32Array.from({ length: cells }, (_, i) => i);
    const held = () => {
      const question = { kind: 'products', a: 'y', b: null, index_a, index_b: new Int32Array(0), run: 1 };
      return numbers((loaded.engine.ask(9001, question as never) as unknown as { products: Float32Array }).products);
    };
    const { forward } = ask(9001);
    expect(held()).toEqual(numbers(tensors.y?.data));
    // dy is ones: without b, y adds up to 400 less.
    expect(forward).toBe(held().reduce((sum, value) => sum + value, 0) - 100 * cells);
  });
});
