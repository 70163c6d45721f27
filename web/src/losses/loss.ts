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
  /** The target where none is given: "the target 0" */
  readonly noTarget: string;
  /** In the menu of the gradient check, and how the error of a quotient depends on its step. */
  readonly check: { readonly label: string; readonly text: string };
}
