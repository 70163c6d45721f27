import type { ViewState } from '../../look/look';
import type { Geometry, Pass } from '../../protocol/problem';
import { type Needs, plainStage } from '../kit/answers';
import { WATCHED } from '../kit/walk/processes';
import { stepsOf } from '../kit/walk/steps-of';
import { stopsOf } from './stops';

/** A way to compute dw or db: `id` is the name of the algorithm that goes it. */
export interface Way {
  readonly id: string;
  readonly pass: Pass;
  readonly label: string;
  readonly idea: string;
  readonly needs: (g: Geometry, state: ViewState) => Needs;
}

/** x_col with more cells than this is a matter for another view. */
const MOST_CELLS = 60_000;

export const fitsMatrix = (g: Geometry): boolean => g.n * g.oh * g.ow * g.kh * g.kw * g.group_c <= MOST_CELLS;

export const DB = WATCHED.find(({ process }) => process === 'db_accumulate');

/** THE LIST of ways. */
export const WAYS: readonly Way[] = [
  {
    id: 'im2col_gemm',
    pass: 'backward_weights',
    label: 'one matrix product',
    idea: 'A weight met one cell of x at every stop of the window. Those cells are its row of x_colᵀ. Times dy, stop by stop, and added up: that is its gradient.',
    needs: (g) => (fitsMatrix(g) ? [plainStage('x_col', true), plainStage('dy_col', true), plainStage('dw_col')] : []),
  },
  {
    id: 'dilated_dy',
    pass: 'backward_weights',
    label: 'x convolved with dy',
    idea: 'dw is itself a convolution: of x, with dy as the kernel. Stride and dilation change places: dy is spread out by the stride, and moves on by the dilation.',
    needs: (g, state) => [
      plainStage('dy_spread'),
      { kind: 'partial', process: 'dw_dilated_dy', steps: stopsOf(g, state) },
    ],
  },
  {
    id: 'grouped',
    pass: 'backward_weights',
    label: 'grouped convolution',
    idea: 'The same for a whole batch in one call, as deep-learning frameworks do it: each channel of each image becomes a group of its own. The results are sliced to the kernel’s size and added up over the batch.',
    needs: () => [plainStage('dy_spread'), plainStage('dw_per_image')],
  },
  {
    id: 'sum',
    pass: 'backward_bias',
    label: 'db',
    idea: DB?.idea ?? '',
    needs: (g, state) => (DB ? [{ kind: 'partial', process: DB.process, steps: stepsOf(g, DB, state['bias-t']) }] : []),
  },
];

export const wayOf = ({ way }: ViewState): Way | undefined => WAYS.find(({ id }) => id === way) ?? WAYS[0];
