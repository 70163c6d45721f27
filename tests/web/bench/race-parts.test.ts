import { describe, expect, it } from 'vitest';
import { loadCeiling } from '../../../web/bench/src/ceiling.ts';
import { relativeError, TOLERANCE } from '../../../web/bench/src/compare.ts';
import { flipWeights, middleIndex, permute } from '../../../web/bench/src/layout.ts';
import { OnnxModel } from '../../../web/bench/src/models/onnx.ts';
import { concatenate, intField } from '../../../web/bench/src/models/protobuf.ts';

describe('the comparison', () => {
  const expected = Float32Array.of(1, -4, 2);

  it('is relative to the largest expected value', () => {
    expect(relativeError(Float32Array.of(1, -4, 3), expected)).toBe(0.25);
    expect(relativeError(expected, expected)).toBe(0);
  });

  it('rejects another length and NaN', () => {
    expect(relativeError(Float32Array.of(1, -4), expected)).toBe(Number.POSITIVE_INFINITY);
    expect(relativeError(Float32Array.of(1, Number.NaN, 2), expected)).toBe(Number.POSITIVE_INFINITY);
  });

  it('rejects a result that is shifted by one', () => {
    expect(relativeError(Float32Array.of(-4, 2, 1), expected)).toBeGreaterThan(TOLERANCE);
  });
});

describe('layouts', () => {
  it('permute as NumPy transposes', () => {
    const data = Float32Array.from({ length: 24 }, (_, i) => i);
    const nchw = permute(data, [1, 2, 3, 4], [0, 3, 1, 2]);
    expect([...nchw.subarray(0, 8)]).toEqual([0, 4, 8, 12, 16, 20, 1, 5]);
    expect(permute(nchw, [1, 4, 2, 3], [0, 2, 3, 1])).toEqual(data);
  });

  it('flip weights in the plane and keep the order of channels', () => {
    expect([...flipWeights(Float32Array.of(1, 2, 3, 4, 5, 6), [1, 3, 1, 2])]).toEqual([5, 6, 3, 4, 1, 2]);
  });

  it('give the index of the middle element', () => {
    expect(middleIndex([2, 3, 4])).toBe(1 * 12 + 1 * 4 + 2);
  });
});

describe('ONNX models', () => {
  it('write numbers as varints, negative ones in ten bytes', () => {
    expect([...concatenate(intField(1, 300))]).toEqual([8, 0xac, 2]);
    expect([...concatenate(intField(1, -1))]).toEqual([8, ...Array(9).fill(255), 1]);
  });

  it('give an unused output an empty name', () => {
    const model = new OnnxModel();
    const x = model.input('x', [1]);
    const bytes = model.build(model.node('Two', [x], {}, '', [false, true]), [1]);
    // Field 2 of the node, twice: an empty name, then the result's.
    expect(String.fromCharCode(...bytes)).toContain('\x12\x00\x12\x02v1');
  });
});

it('assembles a ceiling module that runs', async () => {
  const measure = await loadCeiling('simd');
  expect(measure()).toBeGreaterThan(0.05);
});
