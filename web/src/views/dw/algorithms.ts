import type { ViewState } from '../../look/look';
import type { Geometry, Pass } from '../../protocol/problem';
import { type Needs, plainStage } from '../kit/answers';
import { isMatrixDrawable, type Product } from '../kit/matrix-product';
import { PROCESSES, type ProcessInfo } from '../kit/walk/processes';
import { stepsOf } from '../kit/walk/steps-of';
import { stepsDone } from './DilatedDy';

/** An algorithm for dw or db, named `id`. */
interface Algorithm {
  readonly id: string;
  readonly pass: Pass;
  readonly label: string;
  readonly idea: string;
  readonly needs: (g: Geometry, state: ViewState) => Needs;
  /** It is a player that shows all tensors. */
  readonly sum?: Sum | undefined;
}

export const DW: Product = {
  a: { name: 'x_col', transposed: true },
  b: { name: 'dy_col', transposed: false },
  c: { name: 'dw_col', transposed: false },
};

/** A player that adds up a gradient, and the setting with its number of steps. */
interface Sum {
  readonly process: ProcessInfo;
  readonly setting: string;
}

const sumOf = (name: ProcessInfo['name'], setting: string): Sum | undefined => {
  const process = PROCESSES.find((entry) => entry.name === name);
  return process && { process, setting };
};

const DW_SUM = sumOf('dw_accumulate', 'accumulated');
const DB_SUM = sumOf('db_accumulate', 'bias-t');

const partialOf =
  (sum: Sum | undefined) =>
  (g: Geometry, state: ViewState): Needs =>
    sum ? [{ kind: 'partial', process: sum.process.name, steps: stepsOf(g, sum.process, state[sum.setting]) }] : [];

/** THE LIST of algorithms. */
export const ALGORITHMS: readonly Algorithm[] = [
  {
    id: 'im2col_gemm',
    pass: 'backward_weights',
    label: 'matrix product',
    idea: 'A column of x_col (a row of x_colᵀ) holds every cell of x that one weight multiplied. Its dot product with dy is the gradient of that weight.',
    needs: (g) => (isMatrixDrawable(g) ? [plainStage('x_col'), plainStage('dy_col'), plainStage('dw_col')] : []),
  },
  {
    id: 'dilated_dy',
    pass: 'backward_weights',
    label: 'x convolved with dy',
    idea: 'dw is a convolution of x with dy as the kernel. Stride and dilation swap roles: dy is dilated by the stride and moves by the dilation.',
    needs: (g, state) => [
      plainStage('dy_upsampled'),
      { kind: 'partial', process: 'dw_dilated_dy', steps: stepsDone(g, state) },
    ],
  },
  {
    id: 'grouped',
    pass: 'backward_weights',
    label: 'grouped',
    idea: 'The same for a whole batch in one call: each channel of each image becomes a group. The results are sliced to the size of the kernel and added over the batch.',
    needs: () => [plainStage('dy_upsampled'), plainStage('dw_per_image')],
  },
  {
    id: 'direct',
    pass: 'backward_weights',
    label: 'window by window',
    idea: DW_SUM?.process.idea ?? '',
    needs: partialOf(DW_SUM),
    sum: DW_SUM,
  },
  {
    id: 'sum',
    pass: 'backward_bias',
    label: 'db',
    idea: DB_SUM?.process.idea ?? '',
    needs: partialOf(DB_SUM),
    sum: DB_SUM,
  },
];

/** Links without `way` show the first; the user's click opens another (OPENS_WITH of look/look.ts). */
export const algorithmOf = ({ way }: ViewState): Algorithm | undefined =>
  ALGORITHMS.find(({ id }) => id === way) ?? ALGORITHMS[0];
