import { SessionHeap } from '../engine/session-heap';
import { checkCount, checkFields, checkList, checkText, refuse } from '../engine/validate';
import type { ComputeRequest, ComputeResult } from '../protocol/messages';
import {
  type ConvDesc,
  type Hidden,
  isTensor,
  RESULTS,
  type Shape,
  type StageName,
  type Tensor,
  type TensorName,
} from '../protocol/problem';

/**
 * Hidden values never leave the worker: they are sent as NaN, so the page cannot show or export them. Copies of hidden values
 * are hidden, too, and so is the loss. Results that are computed from hidden inputs are not hidden: finding x from y is an
 * exercise, too.
 */

/** The tensor of the values, or of their terms, in a stage. */
const PARENTS: Readonly<Record<StageName, TensorName>> = {
  ...{ x_padded: 'x', x_col: 'x', y_col: 'y', dx_col: 'dx', dx_padded: 'dx' },
  ...{ w_col: 'w', w_exchanged: 'w', w_flipped: 'w', dw_col: 'dw', dw_uncropped: 'dw', dw_per_image: 'dw' },
  ...{ dy_col: 'dy', dy_upsampled: 'dy', dy_extended: 'dy', dy_inserted: 'dy' },
};

const isStage = (name: string): name is StageName => Object.hasOwn(PARENTS, name);

const ALL = 'all';
type Cells = Set<number> | typeof ALL;

/** Hidden cells by the name of their tensor, also of a network. If any cell of a tensor is hidden, all cells of its stages are. */
export class HiddenCells {
  readonly #heap: SessionHeap;
  readonly #cells = new Map<string, Cells>();

  constructor(heap: SessionHeap, hidden: readonly Hidden[]) {
    this.#heap = heap;
    for (const { tensor, index } of hidden) this.#add(tensor, index);
  }

  any(name: string): boolean {
    const cells = this.#cells.get(name);
    return cells === ALL || (cells?.size ?? 0) > 0 || (isStage(name) && this.any(PARENTS[name]));
  }

  /** Indices of the hidden cells of a tensor; null: all. */
  cellsOf(name: string): readonly (number | null)[] {
    const cells = this.#cells.get(name) ?? [];
    return cells === ALL ? [null] : [...cells];
  }

  hides(name: string, index: number): boolean {
    if (isStage(name)) return this.any(name);
    const cells = this.#cells.get(name);
    return cells === ALL || (cells?.has(index) ?? false);
  }

  tensorOf(stage: StageName): TensorName {
    return PARENTS[stage];
  }

  /** Whether the stage itself is hidden, not only cells of its tensor. */
  named(name: StageName): boolean {
    return this.#cells.has(name);
  }

  /** Hides the copies of hidden cells of `from` in the tensors `to`. `whole`: hides all of their cells. */
  propagate(from: string, to: readonly string[], whole = false): void {
    const cells = this.#cells.get(from);
    if (cells === undefined) return;
    for (const name of to) {
      if (whole || cells === ALL) this.#cells.set(name, ALL);
      else for (const index of cells) this.#add(name, index);
    }
  }

  /** Replaces hidden cells of tensor `name` by NaN. The statistics are those of the other cells. */
  blank(tensor: Tensor, name: string): Tensor {
    return this.any(name) ? this.blankWhere(tensor, (index) => this.hides(name, index)) : tensor;
  }

  blankWhere({ shape, data }: Tensor, isHidden: (index: number) => boolean): Tensor {
    for (let index = 0; index < data.length; index += 1) if (isHidden(index)) data[index] = Number.NaN;
    // Statistics ignore NaN, so that neither colors nor legends reveal hidden values.
    this.#heap.write('result', data);
    const stats = this.#heap.stats('result');
    this.#heap.release('result');
    return { shape, data, stats };
  }

  /** NaN where a stage has copies of hidden cells, as computed by `move` from marks in `as`, an input of the same shape. */
  moved(name: TensorName, as: 'x' | 'w' | 'dy', desc: ConvDesc, move: (marked: SessionHeap) => void): Float32Array {
    const marked = new SessionHeap(this.#heap.module);
    try {
      marked.setProblem(desc);
      marked.write(
        as,
        this.#heap.copy(as).map((_, index) => (this.hides(name, index) ? Number.NaN : 0)),
      );
      move(marked);
      return marked.copy('stage');
    } finally {
      marked.close();
    }
  }

  #add(name: string, index: number | null): void {
    const cells = this.#cells.get(name) ?? new Set();
    if (cells === ALL) return;
    this.#cells.set(name, index === null ? ALL : cells.add(index));
  }
}

/** `isKnown`: whether there is a tensor of this name. Throws ConvFailure. */
export function checkHidden(
  hidden: unknown,
  isKnown: (name: string) => boolean,
): readonly (Hidden & { readonly tensor: string })[] {
  return checkList(hidden, 'hidden').map((entry, i) => {
    const field = `hidden[${i}]`;
    const { tensor, index } = checkFields(entry, ['tensor', 'index'], field, `${field}.`);
    const name = checkText(tensor, `${field}.tensor`);
    if (!isKnown(name)) refuse(`${field}.tensor`, `there is no tensor ${name}`);
    return { tensor: name as Hidden['tensor'], index: index === null ? null : checkCount(index, `${field}.index`) };
  });
}

/** A result with its hidden values replaced by NaN, and the masks for answers to later questions. */
export function hide(
  heap: SessionHeap,
  shapes: Readonly<Record<TensorName, Shape>>,
  { hidden, b }: ComputeRequest,
  result: Omit<ComputeResult, 'revision'>,
): { readonly masks: HiddenCells; readonly result: Omit<ComputeResult, 'revision'> } {
  const masks = new HiddenCells(
    heap,
    checkHidden(hidden, (name) => isTensor(name) || isStage(name)),
  );
  const loss = masks.any('y') || masks.any('dy') ? Number.NaN : result.loss;
  if (result.loss !== null) {
    // A cell of dy is a multiple of y - target, and dx, dw and db are computed from dy.
    masks.propagate('y', ['dy']);
    masks.propagate('y', ['dx', 'dw', 'db'], true);
  }
  const tensors: Partial<Record<TensorName, Tensor>> = {};
  for (const name of ['dy', ...RESULTS] as const) {
    const tensor = result.tensors[name];
    if (tensor) tensors[name] = masks.blank(tensor, name);
  }
  const stats = { ...result.input_stats };
  for (const name of ['x', 'w', 'b'] as const) {
    if (!masks.any(name) || (name === 'b' && b === null)) continue;
    const tensor = masks.blank(heap.read(name, shapes[name]), name);
    tensors[name] = tensor;
    stats[name] = tensor.stats;
  }
  return {
    masks,
    result: { ...result, hides: true, tensors, input_stats: stats, loss: result.loss === null ? null : loss },
  };
}
