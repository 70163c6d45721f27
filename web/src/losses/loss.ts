/** What the page says of a loss. */
export interface LossEntry {
  /** In menus: "squared error" */
  readonly label: string;
  /** "half the mean of (y − target)²" */
  readonly mean: string;
  /** In a sentence: "a squared error" */
  readonly phrase: string;
  /** `cells`: of y, or N; of a form per position, the number of positions. */
  readonly formula: (cells: number | 'N') => string;
  /** dy times the number of cells; null: the difference itself. */
  readonly slope: ((difference: string) => string) | null;
  /**
   * The loss has a form per position: softmax over the channels, of which target is a distribution. It is a mean over positions, and its
   * slope is p − target. `noTarget`: the target where none is given.
   */
  readonly perPosition?: { readonly noTarget: string };
  /** In the menu of the gradient check, and how the error of a quotient depends on its step. */
  readonly check: { readonly label: string; readonly text: string };
}
