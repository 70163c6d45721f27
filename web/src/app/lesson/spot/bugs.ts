import { PASS_OF, type Pass, RESULT_OF, type ResultName } from '../../../protocol/problem';
import { membersOf } from '../../../storage/members';
import { persisted } from '../progress';

/** The open bug: the seed of the order, the letter and the pass. */
export interface BugRef {
  readonly seed: number;
  readonly pass: Pass;
  /** 0 is A. */
  readonly letter: number;
}

const PLACE = /^bug-(\d{1,6})-(y|dx|dw|db)\.([1-9]\d?)$/;

/** "bug-7-dx.3": bug C of seed 7, in dx. Stored in a link in place of a lesson step. */
export function bugRefOf(text: string | null): BugRef | null {
  const [, seed, made, number] = PLACE.exec(text ?? '') ?? [];
  if (seed === undefined || made === undefined || number === undefined) return null;
  return { seed: Number(seed), pass: PASS_OF[made as ResultName], letter: Number(number) - 1 };
}

export const bugRefText = ({ seed, pass, letter }: BugRef): string => `bug-${seed}-${RESULT_OF[pass]}.${letter + 1}`;

/** 0 is A. */
export const letterName = (letter: number): string => String.fromCharCode('A'.charCodeAt(0) + letter);

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

type Scores = ReturnType<typeof stored.value.peek>;

const scoreIn = (scores: Scores, seed: number): BugSetScore =>
  scores[STORED].find((score) => score.seed === seed) ?? { seed, found: [], guesses: 0 };

export const scoreOf = (seed: number): BugSetScore => scoreIn(stored.value.value, seed);

/** Seed of the most recent score; null if there is none. */
export const lastSeed = (): number | null => stored.value.peek()[STORED][0]?.seed ?? null;

export const persistGuess = (seed: number, letter: number, isRight: boolean): void =>
  stored.persist((latest) => {
    const { found, guesses } = scoreIn(latest, seed);
    const score = {
      seed,
      found: isRight && !found.includes(letter) ? [...found, letter] : found,
      guesses: guesses + 1,
    };
    const others = latest[STORED].filter((other) => other.seed !== seed);
    return { [STORED]: [score, ...others].slice(0, MOST_SCORES) };
  });
