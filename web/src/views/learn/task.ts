/** Something to learn: one file in tasks/. Nothing else has to know of it. */
export interface Task {
  readonly place: number;
  readonly title: string;
  /** What is wanted of w. */
  readonly sentence: string;
  /** The problem, as a link says it: x to learn from, and where w begins. */
  readonly link: string;
  /** The weights whose y is the target, row by row: what there is to be found. */
  readonly kernel: readonly (readonly number[])[];
  readonly rate: number;
  /** The loss falls below this within so many steps. */
  readonly goal: { readonly loss: number; readonly steps: number };
}

/** w begins at 0 everywhere; the loss is the page's, too. */
export const CHART = 'h=24&kh=3&padding=same&x=sample:test_chart&weights=constant:0&dy=mse:0';
