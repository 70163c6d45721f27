import type { ReadonlySignal } from '@preact/signals';
import type { ConvError } from '../protocol/errors';
import type { ComputeRequest, ComputeResult } from '../protocol/messages';
import type { ConvDesc, Geometry, Pass } from '../protocol/problem';
import type { DySource } from '../sources/dy-sources';
import type { FilterName } from '../sources/filters';
import type { TensorSource } from '../sources/tensor-sources';
import type { CellsAt } from './addressed';
import type { Edited } from './edits';
import type { Problem } from './problem';

/** Inputs and what the library made of exactly these: the only thing that views draw. */
export interface Shown {
  readonly problem: Problem;
  readonly result: ComputeResult;
}

/** How far the current problem has come. */
export type Progress =
  | { readonly status: 'computing' }
  | { readonly status: 'ready' }
  /** Somebody stopped the computation: the problem stays, the picture is still of the one before. */
  | { readonly status: 'stopped' }
  /** There is no picture of the current problem: the page shows the error in its place. */
  | { readonly status: 'failed'; readonly error: ConvError };

/** An edit that was not accepted, beside its control; the last valid problem stays in force. */
export interface Draft {
  /** The control: a name of ConvDesc ("stride_h", "padding.top") or of a tensor. error.field is the field at fault. */
  readonly field: string;
  readonly text: string;
  /** Of the sizes. One that was `costly` is taken when it is asked for again, `anyway`. */
  readonly patch?: Partial<ConvDesc>;
  /** What the library refused, and was taken back. */
  readonly refused?: Problem;
  readonly error: ConvError;
}

/** The control that an edit came from, and what it asked for. */
export interface Asked {
  readonly field: string;
  readonly text: string;
  readonly patch?: Partial<ConvDesc>;
}

/** Edits with the same gesture (a slider's name) that follow each other quickly are undone together. */
export interface EditOptions {
  readonly gesture?: string;
  /** The control that made the edit, for a draft; default: the first field that changes. */
  readonly field?: string;
  /** Whatever it takes to compute. */
  readonly anyway?: boolean;
}

export type ComputeAnswer =
  | { readonly status: 'done'; readonly result: ComputeResult }
  | { readonly status: 'failed'; readonly error: ConvError }
  | { readonly status: 'dropped'; readonly why: 'superseded' | 'cancelled' | 'stale' };

export type Compute = (request: ComputeRequest) => Promise<ComputeAnswer>;

/** The page's single source of truth. */
export interface Store {
  /** The last accepted problem; controls show it. */
  readonly problem: ReadonlySignal<Problem>;
  /** Grows with every computation that is asked for. */
  readonly revision: ReadonlySignal<number>;
  /** The newest pair of inputs and result, also while the next one is computed; null before the first and after a failure. */
  readonly shown: ReadonlySignal<Shown | null>;
  readonly progress: ReadonlySignal<Progress>;
  readonly draft: ReadonlySignal<Draft | null>;
  readonly canUndo: ReadonlySignal<boolean>;
  readonly canRedo: ReadonlySignal<boolean>;

  setDesc(patch: Partial<ConvDesc>, options?: EditOptions): void;
  /**
   * Changes cells of x, w, b or dy to a value, rounded to float32. Cells are found by their position in the picture in which
   * they were pointed at. Cells of a dy that is still being computed are changed when it is there.
   */
  setCells(cells: CellsAt, value: number, options?: EditOptions): void;
  setSource(tensor: 'x' | 'w' | 'b', source: TensorSource): void;
  removeBias(): void;
  setFilter(name: FilterName): void;
  /** `geometry`: of the picture that the source was chosen in, if it names cells. */
  setDySource(source: DySource, options?: EditOptions & { readonly geometry?: Geometry }): void;
  /** Forces an algorithm by name; null lets the library plan. */
  setAlgorithm(pass: Pass, name: string | null): void;
  /** Lets the library plan every pass, in the problem that an algorithm kept from being computed: it is made now. */
  releaseAlgorithms(): void;
  /** Takes an edit that is no part of the first download, with the control that it came from. */
  accept(edited: Edited, asked: Asked, touched: 'sizes' | 'values'): void;
  /** Replaces the problem; `touched` says whether the whole look goes with it. */
  open(problem: Problem, touched: 'sizes' | 'everything'): void;
  undo(): void;
  redo(): void;
  /**
   * Something that takes time is about to be opened. The function says whether something was done since that it must not
   * replace: an edit, or something else that began to be opened.
   */
  begin(): () => 'edited' | 'opened' | null;
  /** Forgets what was refused, for instance when its control is left. */
  dismissDraft(): void;
  /**
   * Computes every problem from now on; the returned function ends that. A problem that the library refuses is taken
   * back (its error becomes the draft); one whose computation the user cancels stays.
   */
  connect(compute: Compute): () => void;
  /** Computes the current problem again, after a failure or when it was stopped. */
  retry(): void;
}
