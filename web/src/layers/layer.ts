import type { PlaneSizes, WindowSizes } from '../protocol/layers';
import type { ConvError } from '../protocol/problem';

/**
 * A kind of layer: sizes, faults, and its own fields. F: its fields. What the page says and draws of it is its LayerView (view.ts), which is
 * loaded later.
 */
export interface LayerCore<F> {
  /** As in the library and in links. */
  readonly kind: string;
  /** "max pooling" */
  readonly name: string;
  /** "max pooling 2 × 2" */
  title(fields: F): string;
  /** What slides over the input; the output sizes follow from it. */
  window(fields: F, input: PlaneSizes): WindowSizes;
  /** Why it cannot have an input of these sizes; null: it can. */
  fault(fields: F, input: PlaneSizes): ConvError | null;
  /** What the library reads besides the window. */
  options(fields: F): Readonly<Record<string, number>>;
  /** Of a new layer. */
  make(input: PlaneSizes): F;
  /** A cell of y is computed from the same cell of x. */
  readonly pointwise?: true;
  /** Its fields in links and on its card. */
  readonly rows: readonly FieldRow<F>[];
}

/** One field of a kind. */
export interface FieldRow<F> {
  /** In a link: max_pool;kernel:2. */
  readonly key: string;
  /** null: the default, which a link leaves out. */
  write(fields: F): string | null;
  /** `text` undefined: missing in the link. `before`: the fields of the rows above. null: the text is not valid. */
  read(text: string | undefined, before: Partial<F>): Partial<F> | null;
  /** Its control on the card of the layer. */
  readonly control?: FieldControl<F>;
}

export interface FieldControl<F> {
  readonly label: string;
  /** Smallest and largest value in the menu; a link can have others. */
  range(fields: F, input: PlaneSizes): readonly [first: number, last: number];
  /** null: rows and columns differ. */
  value(fields: F): number | null;
  set(value: number, fields: F): F;
}
