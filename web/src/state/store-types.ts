import type { ReadonlySignal } from '@preact/signals';
import type { ComputeRequest, ComputeResult, Outcome } from '../protocol/messages';
import type { ConvDesc, ConvError, Geometry, Pass } from '../protocol/problem';
import type { DySource } from '../sources/dy-sources';
import type { FilterName } from '../sources/generators';
import type { TensorSource } from '../sources/tensor-sources';
import type { AddressedCells, EditResult } from './edits';
import type { Problem, Shown } from './problem';

export type Progress =
  | { readonly status: 'computing' }
  | { readonly status: 'ready' }
  /** The user stopped the computation: the problem stays, the result is still that of the previous one. */
  | { readonly status: 'stopped' }
  /** No result: the page shows the error instead. */
  | { readonly status: 'failed'; readonly error: ConvError };

/** A rejected edit, shown at its control; the last valid problem stays. */
export interface Draft extends EditOrigin {
  /** The problem that the library rejected and the store reverted. */
  readonly refused?: Problem;
  readonly error: ConvError;
}

/** The control of an edit and the requested value. */
export interface EditOrigin {
  /** A field of ConvDesc ("stride_h", "padding.top") or a tensor. The `error.field` of a draft is the field with the error. */
  readonly field: string;
  readonly text: string;
  /** The change of sizes. A `costly` one can be repeated with `anyway`. */
  readonly patch?: Partial<ConvDesc>;
}

/** Quick successive edits with the same gesture (the name of a slider) are one undo step. */
export interface EditOptions {
  readonly gesture?: string;
  /** The control of the edit, for a draft; default: the first changed field. */
  readonly field?: string;
  /** Without a limit on the cost. */
  readonly anyway?: boolean;
}

export type Compute = (request: ComputeRequest) => Promise<Outcome<ComputeResult>>;

/** The problem, its result and its history: the single source of truth. */
export interface Store {
  /** The last accepted problem, as shown in the controls. */
  readonly problem: ReadonlySignal<Problem>;
  /** Grows with each requested computation. */
  readonly revision: ReadonlySignal<number>;
  /**
   * The newest inputs with their result, also while the next one is computed; null before the first and after a
   * failure.
   */
  readonly shown: ReadonlySignal<Shown | null>;
  readonly progress: ReadonlySignal<Progress>;
  readonly draft: ReadonlySignal<Draft | null>;
  readonly canUndo: ReadonlySignal<boolean>;
  readonly canRedo: ReadonlySignal<boolean>;

  setDesc(patch: Partial<ConvDesc>, options?: EditOptions): void;
  /**
   * Sets cells of x, w, b or dy to a value, rounded to float32. Cells are found by their position in the result in
   * which they were selected. If dy is still being computed, its cells are changed afterwards.
   */
  setCells(cells: AddressedCells, value: number, options?: EditOptions): void;
  setSource(tensor: 'x' | 'w' | 'b', source: TensorSource): void;
  removeBias(): void;
  setFilter(name: FilterName): void;
  /** `geometry`: that of the result in which the source was chosen, if it names cells. */
  setDySource(source: DySource, options?: EditOptions & { readonly geometry?: Geometry }): void;
  /**
   * Moves the 1 of a dy that follows the pointer; no effect on other sources. Like the pointer itself, it is not an edit: undo
   * has no step for it, and an opening does not yield to it. `geometry`: that of the result that was pointed at.
   */
  pointDy(index: number, geometry: Geometry): void;
  /** Forces an algorithm by name; null: the library plans. */
  setAlgorithm(pass: Pass, name: string | null): void;
  /** Removes all forced algorithms, also from a problem that was rejected because of one, and computes it. */
  clearAlgorithms(): void;
  /** Applies an edit of a module that is loaded later, with its control. */
  accept(edited: EditResult, asked: EditOrigin, touched: 'sizes' | 'values'): void;
  /** Replaces the problem; `touched`: whether undo restores the whole look. */
  open(problem: Problem, touched: 'sizes' | 'everything'): void;
  undo(): void;
  redo(): void;
  /**
   * Starts an asynchronous opening. The returned function says whether an edit or another opening came in the meantime.
   */
  begin(): () => 'edited' | 'opened' | null;
  /** Discards the rejected edit, for example when its control loses the focus. */
  dismissDraft(): void;
  /**
   * Starts computing; the returned function stops it. A problem that the library rejects is reverted, and its error
   * becomes the draft. A problem stays if the user cancels its computation. `showsPassing`: whether to show results of
   * superseded edits, with their own inputs, until the newest result is there.
   */
  connect(compute: Compute, showsPassing?: () => boolean): () => void;
  /** Computes the current problem again, after a failure or a stop. */
  retry(): void;
}
