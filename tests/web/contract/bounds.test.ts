import { beforeAll, describe, expect, test } from 'vitest';
import { PASSES, type Pass } from '../../../web/src/protocol/problem';
import type { AlgorithmInfo } from '../../../web/src/protocol/questions';
import { makeDesc, makeRequest } from './requests';
import { type Loaded, layerIn, load, VARIANTS } from './support';

// Tests the error bounds of AlgorithmInfo against sums in double.

const SIZE = 12;
const CHANNELS = 4;
const desc = makeDesc({
  h: SIZE,
  w: SIZE,
  c: CHANNELS,
  k: CHANNELS,
  padding: { top: 1, bottom: 1, left: 1, right: 1 },
});

/**
 * Small values, and one that is 10 million times as large, which the middle tap scales down again. An algorithm that also
 * multiplies it by other taps, and cancels that later, loses digits.
 */
const withOneHuge = (length: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => (i === 5 * SIZE * CHANNELS + 5 * CHANNELS ? 1e4 : Math.sin(i + 1) / 1e3));
const middle = (i: number) => Math.floor(i / (CHANNELS * CHANNELS)) === 4;
const w = Float32Array.from({ length: 9 * CHANNELS * CHANNELS }, (_, i) => Math.cos(i) * (middle(i) ? 1e-7 : 1));

interface Exact {
  readonly value: Float64Array;
  /** Sum of |a * b| of each element. */
  readonly own: Float64Array;
}

/** y of x, or dx of dy if `flipped`, by the formula: dx reads dy with w flipped. */
function exact(from: Float32Array, flipped: boolean): Exact {
  const value = new Float64Array(from.length);
  const own = new Float64Array(from.length);
  const inside = (at: number) => at >= 0 && at < SIZE;
  for (let i = 0; i < SIZE; i += 1) {
    for (let j = 0; j < SIZE; j += 1) {
      for (let tap = 0; tap < 9; tap += 1) {
        const [p, q] = [Math.floor(tap / 3), tap % 3];
        const [row, col] = flipped ? [i + 1 - p, j + 1 - q] : [i + p - 1, j + q - 1];
        if (!inside(row) || !inside(col)) continue;
        for (let a = 0; a < CHANNELS; a += 1) {
          for (let b = 0; b < CHANNELS; b += 1) {
            const weight = w[flipped ? (tap * CHANNELS + a) * CHANNELS + b : (tap * CHANNELS + b) * CHANNELS + a] ?? 0;
            const product = (from[(row * SIZE + col) * CHANNELS + b] ?? 0) * weight;
            const at = (i * SIZE + j) * CHANNELS + a;
            value[at] = (value[at] ?? 0) + product;
            own[at] = (own[at] ?? 0) + Math.abs(product);
          }
        }
      }
    }
  }
  return { value, own };
}

const largest = (values: Float32Array): number => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

describe.each(VARIANTS)('bounds (%s)', (variant) => {
  let loaded: Loaded;
  let lists: Readonly<Partial<Record<Pass, readonly AlgorithmInfo[]>>>;
  const x = withOneHuge(SIZE * SIZE * CHANNELS);
  const dy = { kind: 'values', shape: [1, SIZE, SIZE, CHANNELS], data: x } as const;
  beforeAll(async () => {
    loaded = await load(variant);
    loaded.engine.compute(makeRequest(desc, { x, w, loss: { kind: 'given', dy } }), 1);
    lists = loaded.engine.ask(1, { kind: 'algorithms' });
  });

  test('are relative to mixed sums only for Winograd', () => {
    const mixing = PASSES.flatMap((pass) =>
      (lists[pass] ?? []).flatMap(({ name, mixes_cells }) => (mixes_cells ? [`${pass} ${name}`] : [])),
    );
    expect(mixing.sort()).toEqual([
      'backward_data winograd_2x2',
      'backward_data winograd_4x4',
      'backward_weights winograd_2x2',
      'backward_weights winograd_4x4',
      'forward winograd_2x2',
      'forward winograd_4x4',
    ]);
    for (const { mixes_cells } of PASSES.flatMap((pass) => lists[pass] ?? []))
      expect(mixes_cells).toBeTypeOf('boolean');
  });

  test.each(['forward', 'backward_data'] as const)('hold in %s', (pass) => {
    const { value, own } = exact(x, pass === 'backward_data');
    const most = 9 * CHANNELS * largest(x) * largest(w);
    for (const { name, supported, error_bound, mixes_cells } of lists[pass] ?? []) {
      if (!supported) continue;
      const request = makeRequest(desc, { x, w, loss: { kind: 'given', dy }, algorithms: { [pass]: name } });
      const got = layerIn(loaded.engine.compute(request, 2)).tensors[pass === 'forward' ? 'y' : 'dx']?.data ?? [];
      expect(got).toHaveLength(value.length);
      // The result is rounded to float32 once more.
      const off = value.map((right, at) =>
        Math.max(0, Math.abs((got[at] ?? Number.NaN) - right) - Math.abs(right) * 2 ** -24),
      );
      const parts = (relativeTo: (at: number) => number) => off.map((error, at) => error / (relativeTo(at) * 2 ** -24));
      const ofOwn = Math.max(...parts((at) => own[at] ?? 0));
      const ofMost = Math.max(...parts(() => most));
      expect(ofMost, name).toBeLessThanOrEqual(error_bound);
      // Relative to an element's own sum, Winograd's bound would be wrong: its transforms contain terms of other elements.
      if (mixes_cells) expect(ofOwn, name).toBeGreaterThan(error_bound);
      else expect(ofOwn, name).toBeLessThanOrEqual(error_bound);
    }
  });
});
