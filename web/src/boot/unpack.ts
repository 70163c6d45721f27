// Decodes LZMA (https://www.7-zip.org/sdk.html, lzma-specification.txt): no browser does, and it makes the page in one file a quarter
// smaller than what browsers decode. With lc = 4, lp = 0 and pb = 0, as web/site/pack.ts writes it.

const LITERAL_BITS = 4;
const LITERAL_SIZE = 0x300;
const STATES = 12;
/** The first slot of distances with bits that have no model. */
const FIRST_DIRECT_SLOT = 14;
const TOP = 2 ** 24;

/** Probabilities of a zero bit in units of 1 / 2048. */
const chances = (count: number) => new Uint16Array(count).fill(1024);
const lengths = () => ({ choice: chances(2), low: chances(8), middle: chances(8), high: chances(256) });

/** The bytes of a text of web/site/pack.ts: five characters in base 85 are four bytes. */
function bytesOf(text: string): Uint8Array {
  const bytes = new DataView(new ArrayBuffer((text.length / 5) * 4));
  for (let at = 0; at * 5 < text.length; at += 1) {
    let value = 0;
    for (let i = at * 5; i < at * 5 + 5; i += 1) {
      const code = text.charCodeAt(i);
      // The digits are the characters from "(" on without "<".
      value = value * 85 + code - (code < 60 ? 40 : 41);
    }
    bytes.setUint32(at * 4, value);
  }
  return new Uint8Array(bytes.buffer);
}

/** Reads bits of a range coder. */
function createReader(packed: Uint8Array) {
  let at = 0;
  const next = () => packed[at++] ?? 0;
  // The first byte is 0.
  next();
  let range = 2 ** 32 - 1;
  let code = ((next() << 24) | (next() << 16) | (next() << 8) | next()) >>> 0;
  const normalize = () => {
    if (range >= TOP) return;
    range = (range << 8) >>> 0;
    code = ((code << 8) | next()) >>> 0;
  };

  const bit = (of: Uint16Array, index: number): number => {
    const chance = of[index] ?? 0;
    const bound = (range >>> 11) * chance;
    const one = code >= bound;
    if (one) {
      range -= bound;
      code -= bound;
      of[index] = chance - (chance >> 5);
    } else {
      range = bound;
      of[index] = chance + ((2048 - chance) >> 5);
    }
    normalize();
    return one ? 1 : 0;
  };
  /** A number of `count` bits, the highest first. */
  const tree = (of: Uint16Array, count: number, from = 0): number => {
    let node = 1;
    while (node < 1 << count) node = (node << 1) | bit(of, from + node);
    return node - (1 << count);
  };
  /** The same, the lowest bit first. */
  const reversed = (of: Uint16Array, count: number, from = 0): number => {
    let [node, value] = [1, 0];
    for (let i = 0; i < count; i += 1) {
      const read = bit(of, from + node);
      node = (node << 1) | read;
      value |= read << i;
    }
    return value;
  };
  /** Bits that are as often 0 as 1. */
  const direct = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i += 1) {
      range >>>= 1;
      const one = code >= range;
      if (one) code -= range;
      value = (value << 1) | (one ? 1 : 0);
      normalize();
    }
    return value;
  };
  return { bit, tree, reversed, direct };
}

/** The `size` bytes that were packed. */
export function unpack(text: string, size: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  const { bit, tree, reversed, direct } = createReader(bytesOf(text));
  const isMatch = chances(STATES);
  const isRepeated = chances(STATES);
  const isOlder = [chances(STATES), chances(STATES), chances(STATES)] as const;
  const isLong = chances(STATES);
  const literals = chances(LITERAL_SIZE << LITERAL_BITS);
  const slots = chances(4 * 64);
  const middleBits = chances(128);
  const lowBits = chances(16);
  const [newLengths, repeatedLengths] = [lengths(), lengths()];
  /** The last four distances, each less 1. */
  let [last, second, third, fourth] = [0, 0, 0, 0];
  let state = 0;
  let at = 0;

  const lengthOf = ({ choice, low, middle, high }: ReturnType<typeof lengths>): number => {
    if (!bit(choice, 0)) return 2 + tree(low, 3);
    return bit(choice, 1) ? 18 + tree(high, 8) : 10 + tree(middle, 3);
  };
  const distance = (length: number): number => {
    const slot = tree(slots, 6, Math.min(length - 2, 3) * 64);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const high = (2 | (slot & 1)) << count;
    if (slot < FIRST_DIRECT_SLOT) return high + reversed(middleBits, count, high - slot);
    return high + (direct(count - 4) << 4) + reversed(lowBits, 4);
  };
  const literal = (): number => {
    const from = ((out[at - 1] ?? 0) >> (8 - LITERAL_BITS)) * LITERAL_SIZE;
    let symbol = 1;
    // After a match, the byte at the last distance predicts this one, up to the first bit that differs.
    if (state >= 7) {
      for (let expected = out[at - last - 1] ?? 0; symbol < 0x100; expected <<= 1) {
        const guess = (expected >> 7) & 1;
        const read = bit(literals, from + ((1 + guess) << 8) + symbol);
        symbol = (symbol << 1) | read;
        if (read !== guess) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | bit(literals, from + symbol);
    return symbol;
  };
  /** Moves the distance that repeats to the front. */
  const recall = () => {
    let found = second;
    if (bit(isOlder[1], state)) {
      found = third;
      if (bit(isOlder[2], state)) {
        found = fourth;
        fourth = third;
      }
      third = second;
    }
    second = last;
    last = found;
  };
  const copy = (length: number) => {
    for (const end = Math.min(at + length, size); at < end; at += 1) out[at] = out[at - last - 1] ?? 0;
  };

  while (at < size) {
    if (!bit(isMatch, state)) {
      out[at] = literal();
      at += 1;
      state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
    } else if (!bit(isRepeated, state)) {
      [second, third, fourth] = [last, second, third];
      const length = lengthOf(newLengths);
      last = distance(length);
      copy(length);
      state = state < 7 ? 7 : 10;
    } else {
      const older = bit(isOlder[0], state);
      const single = !older && !bit(isLong, state);
      if (older) recall();
      copy(single ? 1 : lengthOf(repeatedLengths));
      state = state >= 7 ? 11 : single ? 9 : 8;
    }
  }
  return out;
}
