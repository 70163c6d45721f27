import { ConvFailure } from '../engine/failure';

/** Random numbers in [0, 1) from a seed, the same on every machine (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The index of the bug with this letter: bugs are shuffled by the seed. */
export function bugAt(seed: number, letter: number, count: number): number {
  const next = random(seed);
  const order = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const chosen = Math.floor(next() * (last + 1));
    [order[last], order[chosen]] = [order[chosen] ?? 0, order[last] ?? 0];
  }
  const index = order[letter];
  if (index === undefined) throw new ConvFailure('invalid_argument', 'letter', `there are only ${count} bugs`);
  return index;
}
