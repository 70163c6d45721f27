import type { Pass, TensorName } from '../../../protocol/problem';

/** The open bug: the seed of the order, the letter and the pass. */
export interface BugRef {
  readonly seed: number;
  readonly pass: Pass;
  /** 0 is A. */
  readonly letter: number;
}

/** Pass that computes each tensor. */
export const PASS_BY_TENSOR = {
  y: 'forward',
  dx: 'backward_data',
  dw: 'backward_weights',
  db: 'backward_bias',
} as const satisfies Partial<Record<TensorName, Pass>>;

export type BugTensor = keyof typeof PASS_BY_TENSOR;
export const BUG_TENSORS = Object.keys(PASS_BY_TENSOR) as readonly BugTensor[];

export const tensorOfPass = (pass: Pass): BugTensor => BUG_TENSORS.find((name) => PASS_BY_TENSOR[name] === pass) ?? 'y';

const PLACE = /^bug-(\d{1,6})-(y|dx|dw|db)\.([1-9]\d?)$/;

/** "bug-7-dx.3": bug C of seed 7, in dx. Stored in a link in place of a lesson step. */
export function bugRefOf(text: string | null): BugRef | null {
  const [, seed, made, number] = PLACE.exec(text ?? '') ?? [];
  if (seed === undefined || made === undefined || number === undefined) return null;
  return { seed: Number(seed), pass: PASS_BY_TENSOR[made as BugTensor], letter: Number(number) - 1 };
}

export const bugRefText = ({ seed, pass, letter }: BugRef): string => `bug-${seed}-${tensorOfPass(pass)}.${letter + 1}`;

/** 0 is A. */
export const letterName = (letter: number): string => String.fromCharCode('A'.charCodeAt(0) + letter);
