import type { Pass, ProcessName, TensorName } from '../../../protocol/problem';

/** A process that the player steps through, and the tensor that it fills. */
export interface ProcessInfo {
  readonly name: ProcessName;
  readonly pass: Pass;
  readonly label: string;
  /** Describes the algorithm. */
  readonly idea: string;
  readonly result: TensorName;
  /** 'once': each cell is written by one step. 'adding': steps add to cells. */
  readonly writes: 'once' | 'adding';
}

/** THE LIST of processes. */
export const PROCESSES: readonly ProcessInfo[] = [
  {
    name: 'forward',
    pass: 'forward',
    label: 'y, window by window',
    idea: 'The window slides over x. At each position, the sum of its cells times w is one cell of y.',
    result: 'y',
    writes: 'once',
  },
  {
    name: 'dx_scatter',
    pass: 'backward_data',
    label: 'dx by scatter',
    idea: 'Each cell of dy adds a copy of w, scaled by its value, to its window of dx. Overlapping copies add up.',
    result: 'dx',
    writes: 'adding',
  },
  {
    name: 'dx_col2im',
    pass: 'backward_data',
    label: 'dx by col2im',
    idea: 'All scaled copies of w are computed first, as the rows of dx_col. Then each row is added to its window of dx.',
    result: 'dx',
    writes: 'adding',
  },
  {
    name: 'dx_gather',
    pass: 'backward_data',
    label: 'dx by gather',
    idea: 'Each cell of dx sums the dy of every window that reads it, times the weight. Each step finishes one cell.',
    result: 'dx',
    writes: 'once',
  },
  {
    name: 'dw_accumulate',
    pass: 'backward_weights',
    label: 'dw adds up',
    idea: 'Each window of x, times its cell of dy, is added to dw. Every position uses every weight, so every position adds to dw.',
    result: 'dw',
    writes: 'adding',
  },
  {
    name: 'db_accumulate',
    pass: 'backward_bias',
    label: 'db adds up',
    idea: 'The bias is added to every cell of y, so its gradient is the sum of all cells of dy.',
    result: 'db',
    writes: 'adding',
  },
];
