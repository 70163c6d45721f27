/** A separate generator for each test: the same seed gives the same walk (mulberry32). */
export interface Random {
  /** 0 .. below - 1 */
  readonly below: (below: number) => number;
  readonly one: <T>(of: readonly T[]) => T;
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const below = (most: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most);
  };
  const one = <T>(of: readonly T[]): T => {
    const chosen = of[below(of.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  };
  return { below, one };
}

/** Repeats a walk: `CONV2D_SEED=... npm test`. */
export const seedOf = (fallback: number): number => Number(process.env['CONV2D_SEED'] ?? fallback);
