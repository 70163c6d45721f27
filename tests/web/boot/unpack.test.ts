import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pack } from '../../../web/site/pack';
import { unpack } from '../../../web/src/boot/unpack';

// The encoder is that of xz.

/** Bytes without a pattern, by a linear congruential generator. */
function noise(count: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const file = (name: string) => readFileSync(join(import.meta.dirname, '../../../', name));

describe('unpack', () => {
  it.each([
    ['a single byte', Uint8Array.of(200)],
    ['equal bytes', new Uint8Array(10_000).fill(7)],
    ['noise', noise(70_000)],
    // The longest length is 273, and distances have three forms: short, middle and long.
    [
      'repetitions at every distance',
      joined(...[1, 5, 40, 300, 5_000, 70_000, 300_000].flatMap((size) => [noise(size), noise(size)])),
    ],
    ['a text', file('THIRD_PARTY_NOTICES.txt')],
    ['a module', file('web/src/wasm/generated/conv2d-simd.wasm')],
    [
      'modules that are nearly equal',
      joined(file('web/src/wasm/generated/conv2d-simd.wasm'), file('web/src/wasm/generated/conv2d-relaxed.wasm')),
    ],
  ])('gives back %s', (_, bytes) => {
    const packed = pack(bytes);
    expect(Buffer.compare(unpack(packed, bytes.length), bytes)).toBe(0);
    // Nothing that ends a script or an attribute.
    expect(packed).not.toMatch(/[^(-;=-}]/);
    if (bytes.length > 1) {
      const at = Math.floor(packed.length / 2);
      const damaged = packed.slice(0, at) + (packed[at] === '(' ? ')' : '(') + packed.slice(at + 1);
      expect(Buffer.compare(unpack(damaged, bytes.length), bytes)).not.toBe(0);
    }
  });
});
