/** Keyed digests of texts: SipHash-2-4 (https://www.aumasson.jp/siphash/siphash.pdf), which needs no secure context. */

const MASK = (1n << 64n) - 1n;
const rotated = (word: bigint, by: bigint): bigint => ((word << by) | (word >> (64n - by))) & MASK;

/** `key`: two words of 64 bits. Returns 64 bits. */
export function sipHash([first, second]: readonly [bigint, bigint], bytes: Uint8Array): bigint {
  let a = first ^ 0x736f6d6570736575n;
  let b = second ^ 0x646f72616e646f6dn;
  let c = first ^ 0x6c7967656e657261n;
  let d = second ^ 0x7465646279746573n;
  const rounds = (count: number) => {
    for (let round = 0; round < count; round += 1) {
      a = (a + b) & MASK;
      b = rotated(b, 13n) ^ a;
      a = rotated(a, 32n);
      c = (c + d) & MASK;
      d = rotated(d, 16n) ^ c;
      a = (a + d) & MASK;
      d = rotated(d, 21n) ^ a;
      c = (c + b) & MASK;
      b = rotated(b, 17n) ^ c;
      c = rotated(c, 32n);
    }
  };
  const words = Math.floor(bytes.length / 8) + 1;
  for (let word = 0; word < words; word += 1) {
    const isLast = word === words - 1;
    let value = isLast ? BigInt(bytes.length & 0xff) << 56n : 0n;
    for (let at = 0; at < (isLast ? bytes.length % 8 : 8); at += 1) {
      value |= BigInt(bytes[word * 8 + at] ?? 0) << BigInt(8 * at);
    }
    d ^= value;
    rounds(2);
    a ^= value;
  }
  c ^= 0xffn;
  rounds(4);
  return a ^ b ^ c ^ d;
}

/** The key is in the program of the page: a digest shows that a link was edited by hand, and does not prevent forgery. */
const KEY = [0x636f6e763264206en, 0x706c617967726f75n] as const;

/** 16 hexadecimal digits for a list of texts. */
export const digestOf = (texts: readonly string[]): string =>
  sipHash(KEY, new TextEncoder().encode(JSON.stringify(texts)))
    .toString(16)
    .padStart(16, '0');
