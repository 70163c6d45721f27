import type { Pass, TensorName } from '../../../protocol/problem';

/** The bug that somebody looks at: a letter of the shelf that a seed orders, and the pass that has it. */
export interface BugPlace {
  readonly seed: number;
  readonly pass: Pass;
  /** 0 is A. */
  readonly letter: number;
}

/** What a bug is looked for in, by what the pass makes. */
export const MADE_BY = {
  y: 'forward',
  dx: 'backward_data',
  dw: 'backward_weights',
  db: 'backward_bias',
} as const satisfies Partial<Record<TensorName, Pass>>;

export type Made = keyof typeof MADE_BY;
export const MADE = Object.keys(MADE_BY) as readonly Made[];

export const madeBy = (pass: Pass): Made => MADE.find((name) => MADE_BY[name] === pass) ?? 'y';

const PLACE = /^bug-(\d{1,6})-(y|dx|dw|db)\.([1-9]\d?)$/;

/** "bug-7-dx.3": bug C of the shelf 7, in dx. A link carries it where it carries the step of a lesson. */
export function bugPlaceOf(text: string | null): BugPlace | null {
  const [, seed, made, number] = PLACE.exec(text ?? '') ?? [];
  if (seed === undefined || made === undefined || number === undefined) return null;
  return { seed: Number(seed), pass: MADE_BY[made as Made], letter: Number(number) - 1 };
}

export const bugPlaceText = ({ seed, pass, letter }: BugPlace): string => `bug-${seed}-${madeBy(pass)}.${letter + 1}`;

/** 0 is A. */
export const letterName = (letter: number): string => String.fromCharCode('A'.charCodeAt(0) + letter);
