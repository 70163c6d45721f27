import { ConvFailure } from '../engine/failure';

/** Numbers from 0 up to 1 that follow from a seed: the same on every machine (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Which of `count` things stands at `letter`, in the order of a seed. */
export function placeOnShelf(seed: number, letter: number, count: number): number {
  const next = random(seed);
  const order = Array.from({ length: count }, (_, place) => place);
  for (let last = count - 1; last > 0; last -= 1) {
    const chosen = Math.floor(next() * (last + 1));
    [order[last], order[chosen]] = [order[chosen] ?? 0, order[last] ?? 0];
  }
  const place = order[letter];
  if (place === undefined) throw new ConvFailure('invalid_argument', 'letter', 'there are not so many bugs');
  return place;
}
