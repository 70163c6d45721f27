import type { Pass, ProcessName, TensorName } from '../../../protocol/problem';

/** A process that can be watched step by step, and the tensor that it fills. */
export interface Watched {
  readonly process: ProcessName;
  readonly pass: Pass;
  readonly label: string;
  /** What the algorithm does, for somebody who sees it for the first time. */
  readonly idea: string;
  readonly result: TensorName;
  /** 'once': a step writes cells that no other step touches. 'adding': steps add to what is already there. */
  readonly writes: 'once' | 'adding';
}

/** THE LIST of what can be watched. */
export const WATCHED: readonly Watched[] = [
  {
    process: 'forward',
    pass: 'forward',
    label: 'y, window by window',
    idea: 'The window slides over x. At each stop its cells are multiplied by w and added up to one cell of y.',
    result: 'y',
    writes: 'once',
  },
  {
    process: 'dx_scatter',
    pass: 'backward_data',
    label: 'dx by scatter',
    idea: 'Each cell of dy stamps a copy of w, times its own value, on the cells of x that it came from. Stamps that overlap add up.',
    result: 'dx',
    writes: 'adding',
  },
  {
    process: 'dx_col2im',
    pass: 'backward_data',
    label: 'dx by col2im',
    idea: 'All stamps are computed first, as the rows of dx_col. Then each row is carried back to its window and added there.',
    result: 'dx',
    writes: 'adding',
  },
  {
    process: 'dx_gather',
    pass: 'backward_data',
    label: 'dx by gather',
    idea: 'The same gradient from the other side: each cell of dx collects the dy of every window that read it. It is finished in one step.',
    result: 'dx',
    writes: 'once',
  },
  {
    process: 'dw_accumulate',
    pass: 'backward_weights',
    label: 'dw adds up',
    idea: 'Every window of x, times its cell of dy, is added to dw: a weight was used at every stop, so it hears from every stop.',
    result: 'dw',
    writes: 'adding',
  },
  {
    process: 'db_accumulate',
    pass: 'backward_bias',
    label: 'db adds up',
    idea: 'The bias was added to every cell of y, so its gradient is the sum of all cells of dy.',
    result: 'db',
    writes: 'adding',
  },
];
