import type { TensorName } from '../../../web/src/protocol/problem';

/** A value in a text that no equation there states. The text must contain it. */
export type Claim =
  /** `at`: row and column, then channel or filter, then image; in w and dw row, column, channel, filter. b and db: the filter. */
  | { readonly tensor: TensorName; readonly at: readonly number[]; readonly value: number }
  /** Rows and columns. */
  | { readonly tensor: TensorName; readonly size: readonly [number, number] }
  /** How many windows read a cell of x. */
  | { readonly reads: readonly [row: number, col: number]; readonly count: number }
  | { readonly loss: number }
  /** The sum of y · dy. */
  | { readonly linear: number };

interface StepClaims {
  /** In the text above the task. */
  readonly words?: readonly Claim[];
  readonly outcome?: readonly Claim[];
}

/** By the name of the step. */
export const CLAIMS: Readonly<Record<string, StepClaims>> = {
  'sliding.2': {
    words: [{ tensor: 'y', size: [3, 3] }],
    outcome: [{ tensor: 'y', size: [4, 4] }],
  },
  'sliding.3': {
    outcome: [{ tensor: 'y', size: [2, 2] }],
  },
  'sliding.4': {
    words: [{ tensor: 'y', size: [2, 2] }],
    outcome: [{ tensor: 'y', size: [3, 3] }],
  },
  'padding.1': {
    words: [
      { tensor: 'y', at: [0, 0], value: 9 },
      { reads: [2, 2], count: 9 },
    ],
  },
  'padding.2': {
    words: [{ tensor: 'y', size: [5, 5] }],
    outcome: [
      { tensor: 'x', at: [1, 0], value: 5 },
      { tensor: 'x', at: [1, 1], value: 6 },
    ],
  },
  'padding.3': {
    words: [{ tensor: 'y', size: [3, 3] }],
    outcome: [
      { tensor: 'y', size: [7, 7] },
      { reads: [0, 0], count: 9 },
    ],
  },
  'padding.4': {
    words: [{ tensor: 'x', size: [6, 6] }],
  },
  'channels.4': {
    words: [
      { tensor: 'x', at: [1, 1, 0], value: 2 },
      { tensor: 'x', at: [1, 1, 1], value: 1 },
      { tensor: 'w', at: [0, 0, 0, 0], value: 4 },
      { tensor: 'w', at: [0, 0, 1, 0], value: 2 },
    ],
    outcome: [{ tensor: 'y', size: [4, 4] }],
  },
  'loss.1': {
    words: [{ loss: 2.889 }],
    outcome: [{ tensor: 'y', at: [2, 0], value: 4 }],
  },
  'dw.1': {
    words: [
      { tensor: 'x', at: [0, 0], value: 0 },
      { tensor: 'x', at: [0, 1], value: 1 },
      { tensor: 'x', at: [1, 0], value: 4 },
      { tensor: 'x', at: [1, 1], value: 5 },
    ],
  },
  'dw.3': {
    words: [
      { tensor: 'x', at: [2, 2], value: 10 },
      { tensor: 'x', at: [2, 3], value: 11 },
      { tensor: 'x', at: [3, 2], value: 14 },
      { tensor: 'x', at: [3, 3], value: 15 },
    ],
  },
  'dw.4': {
    words: [
      { tensor: 'dw', size: [3, 3] },
      { tensor: 'dy', size: [2, 2] },
    ],
  },
  'scatter.4': {
    words: [
      { tensor: 'w', at: [1, 2], value: 4 },
      { tensor: 'w', at: [1, 1], value: 5 },
      { tensor: 'w', at: [0, 2], value: 7 },
      { tensor: 'w', at: [0, 1], value: 8 },
    ],
  },
  'gather.1': {
    words: [
      { tensor: 'w', at: [1, 1], value: 5 },
      { tensor: 'w', at: [1, 0], value: 6 },
      { tensor: 'w', at: [0, 1], value: 8 },
      { tensor: 'w', at: [0, 0], value: 9 },
    ],
  },
  'gather.4': {
    outcome: [{ tensor: 'w', at: [1, 1], value: 5 }],
  },
  'gather.3': {
    outcome: [
      { tensor: 'dx', size: [4, 4] },
      { tensor: 'dx', at: [1, 1], value: 77 },
    ],
  },
  'stride.2': {
    outcome: [{ tensor: 'dy', size: [2, 2] }],
  },
  'stride.4': {
    words: [
      { reads: [2, 2], count: 4 },
      { reads: [2, 3], count: 2 },
      { reads: [3, 3], count: 1 },
    ],
    outcome: [{ reads: [5, 5], count: 1 }],
  },
  'remainder.1': {
    words: [{ reads: [5, 5], count: 0 }],
  },
  'remainder.2': {
    words: [{ tensor: 'y', size: [2, 2] }],
    outcome: [{ tensor: 'y', size: [2, 2] }],
  },
  'col2im.2': {
    outcome: [{ tensor: 'dx', at: [1, 1], value: 77 }],
  },
  'bias-batch.3': {
    outcome: [{ tensor: 'dw', size: [3, 3] }],
  },
  'groups.1': {
    outcome: [{ tensor: 'y', size: [3, 3] }],
  },
  'transposed.1': {
    words: [
      { tensor: 'dx', size: [4, 4] },
      { tensor: 'dy', size: [2, 2] },
    ],
  },
  'check.1': {
    outcome: [{ linear: 3000 }],
  },
};
