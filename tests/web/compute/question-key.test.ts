import { describe, expect, test } from 'vitest';
import { keyOf } from '../../../web/src/compute/questions';
import type { Question } from '../../../web/src/protocol/questions';
import { learned } from './learned';

const comparison = (values: Float32Array): Question => ({
  kind: 'compare_result',
  pass: 'forward',
  user_result: values,
});

describe('the key of a question', () => {
  test('is equal for equal questions with fields in any order', () => {
    const a: Question = {
      kind: 'products',
      a: 'x',
      b: 'w',
      index_a: Int32Array.of(3, -1),
      index_b: Int32Array.of(0, 1),
      run: 2,
    };
    const b: Question = {
      run: 2,
      index_b: Int32Array.of(0, 1),
      index_a: Int32Array.of(3, -1),
      b: 'w',
      a: 'x',
      kind: 'products',
    };
    expect(keyOf(a)).toBe(keyOf(b));
  });

  test.each([
    ['NaN and an infinity', [Number.NaN], [Number.POSITIVE_INFINITY]],
    ['infinities of both signs', [Number.POSITIVE_INFINITY], [Number.NEGATIVE_INFINITY]],
    ['zeros of both signs', [0], [-0]],
    ['one number and two', [1], [1, 1]],
  ])('tells %s in an array apart', (_, a, b) => {
    expect(keyOf(comparison(Float32Array.from(a)))).not.toBe(keyOf(comparison(Float32Array.from(b))));
    expect(keyOf(comparison(Float32Array.from(a)))).toBe(keyOf(comparison(Float32Array.from(a))));
  });

  test('distinguishes NaN, infinities, null and zeros of both signs', () => {
    const rates = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null, 0, -0];
    expect(new Set(rates.map((rate) => keyOf(learned({ rate })))).size).toBe(rates.length);
  });

  test('distinguishes integers from floats with the same bits, and strings from numbers', () => {
    const [ints, floats] = [new Int32Array([1]), new Float32Array(new Int32Array([1]).buffer)];
    expect(keyOf(learned({ watch: ints }))).not.toBe(keyOf(learned({ watch: floats })));
    expect(keyOf(learned({ rate: 1 }))).not.toBe(keyOf(learned({ rate: '1' })));
  });

  test('is equal for equal long lists of cells', () => {
    const check = (): Question => ({
      kind: 'gradient_check',
      ...{ parameter: 'x', loss: 'linear', target: null, precision: 'float32', epsilons: [1] },
      indices: Int32Array.from({ length: 20_000 }, (_, i) => i),
    });
    expect(keyOf(check())).toBe(keyOf(check()));
  });

  test('compares a tensor of a million values by identity', () => {
    const tensor = new Float32Array(1e6);
    const key = keyOf(comparison(tensor));
    expect(key.length).toBeLessThan(100);
    expect(keyOf(comparison(tensor.slice()))).not.toBe(key);
    // Tensors are never changed in place; a key by value would change here.
    tensor.fill(7);
    expect(keyOf(comparison(tensor))).toBe(key);
  });
});
