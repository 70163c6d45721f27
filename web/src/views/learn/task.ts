/** A learning task: one file in tasks/, found by tasks.ts. */
export interface Task {
  /** Position in the menu. */
  readonly order: number;
  readonly title: string;
  /** The task in one or two sentences. */
  readonly sentence: string;
  /** The problem as a link: x, and the initial w. */
  readonly link: string;
  /** The weights that give the target, row by row: the solution. */
  readonly kernel: readonly (readonly number[])[];
  readonly rate: number;
  /** Learning rate for x. Larger: the loss is a mean over y, so the gradient of each cell of x is far smaller. */
  readonly rateOfX: number;
  /** The loss falls below `loss` within `steps` steps. */
  readonly goal: { readonly loss: number; readonly steps: number };
}

/** w starts at 0; the loss is the squared error to 0. */
export const CHART = 'h=24&kh=3&padding=same&x=sample:test_chart&weights=constant:0&dy=mse:0';
