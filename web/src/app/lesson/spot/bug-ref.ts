import type { Pass } from '../../../protocol/problem';
import { PASS_OF, RESULT_OF, type ResultName } from '../../../protocol/tensors';

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
