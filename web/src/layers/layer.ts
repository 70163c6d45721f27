import type { PlaneSizes, WindowSizes } from '../protocol/layers';
import type { ConvError } from '../protocol/problem';

/**
 * A kind of layer: sizes, faults, and its own fields. F: its fields. What the page says and draws of it is its LayerView (view.ts), which is
 * loaded later.
 */
export interface LayerCore<F> {
  /** As in the library and in links. */
  readonly kind: string;
  /** "max pooling 2 × 2" */
  title(fields: F): string;
  /** What slides over the input; the output sizes follow from it. */
  window(fields: F, input: PlaneSizes): WindowSizes;
  /** Why it cannot have an input of these sizes; null: it can. */
  fault(fields: F, input: PlaneSizes): ConvError | null;
  /** What the library reads besides the window, by its names there; defaults can be missing. */
  options(fields: F): Readonly<Record<string, number>>;
  /** A cell of y is computed from the same cell of x. */
  readonly pointwise?: true;
  /** It has w and b. */
  readonly weights?: true;
  /** The sizes of y. Its geometry is that of the convolution from y to x, and so is its w. */
  transposed?(fields: F, input: PlaneSizes): PlaneSizes;
}

export type WeightedCore<F> = LayerCore<F> & { readonly weights: true };
