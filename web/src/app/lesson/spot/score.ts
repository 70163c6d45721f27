import { membersOf } from '../../../storage/storage';
import { persisted } from '../persisted';

/** The score for one seed. */
export interface BugSetScore {
  readonly seed: number;
  /** Letters, counted from 0. */
  readonly found: readonly number[];
  /** Right and wrong guesses. */
  readonly guesses: number;
}

// words-ok: member of the stored JSON of earlier versions
const STORED = 'shelves';

/** Older scores are deleted. */
const MOST_SCORES = 20;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Most recent first. */
export function readScores(text: string | null): readonly BugSetScore[] {
  const stored = membersOf(text)[STORED];
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((each: Partial<BugSetScore> | null) =>
    isCount(each?.seed) && isCount(each.guesses) && Array.isArray(each.found)
      ? [{ seed: each.seed, found: each.found.filter(isCount), guesses: each.guesses }]
      : [],
  );
}

const stored = persisted('bugs', (text) => ({ [STORED]: readScores(text) }));

export const scoreOf = (seed: number): BugSetScore =>
  stored.value.value[STORED].find((score) => score.seed === seed) ?? { seed, found: [], guesses: 0 };

/** Seed of the most recent score; null if there is none. */
export const lastSeed = (): number | null => stored.value.peek()[STORED][0]?.seed ?? null;

function persistScore(score: BugSetScore): void {
  const others = stored.value.peek()[STORED].filter(({ seed }) => seed !== score.seed);
  stored.persist({ [STORED]: [score, ...others].slice(0, MOST_SCORES) });
}

export function persistGuess(seed: number, letter: number, isRight: boolean): void {
  const { found, guesses } = scoreOf(seed);
  persistScore({ seed, found: isRight && !found.includes(letter) ? [...found, letter] : found, guesses: guesses + 1 });
}
