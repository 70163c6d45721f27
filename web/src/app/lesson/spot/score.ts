import { kept, membersOf } from '../kept';

/** What was found on one shelf. */
export interface Shelf {
  readonly seed: number;
  /** Letters, counted from 0. */
  readonly found: readonly number[];
  /** Names that were given, right and wrong. */
  readonly guesses: number;
}

/** Shelves before are forgotten. */
const MOST_SHELVES = 20;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** The shelf that was worked on last comes first. */
export function readShelves(text: string | null): readonly Shelf[] {
  const { shelves } = membersOf(text);
  if (!Array.isArray(shelves)) return [];
  return shelves.flatMap((each: Partial<Shelf> | null) =>
    isCount(each?.seed) && isCount(each.guesses) && Array.isArray(each.found)
      ? [{ seed: each.seed, found: each.found.filter(isCount), guesses: each.guesses }]
      : [],
  );
}

const scores = kept('bugs', (text) => ({ shelves: readShelves(text) }));

export const shelfOf = (seed: number): Shelf =>
  scores.value.value.shelves.find((shelf) => shelf.seed === seed) ?? { seed, found: [], guesses: 0 };

/** The shelf to go on with; null: there is none yet. */
export const lastSeed = (): number | null => scores.value.peek().shelves[0]?.seed ?? null;

function keep(shelf: Shelf): void {
  const others = scores.value.peek().shelves.filter(({ seed }) => seed !== shelf.seed);
  scores.keep({ shelves: [shelf, ...others].slice(0, MOST_SHELVES) });
}

/** A name was given. */
export function keepGuess(seed: number, letter: number, isRight: boolean): void {
  const { found, guesses } = shelfOf(seed);
  keep({ seed, found: isRight && !found.includes(letter) ? [...found, letter] : found, guesses: guesses + 1 });
}
