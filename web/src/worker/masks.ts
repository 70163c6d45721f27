import { SessionHeap } from '../engine/session-heap';
import { refuse } from '../engine/validate';
import type { ComputeRequest, ComputeResult, LayerResult } from '../protocol/messages';
import {
  type ConvDesc,
  type GridName,
  isTensor,
  type StageName,
  type Tensor,
  type TensorName,
} from '../protocol/problem';

/**
 * Hidden values never leave the worker: they are sent as NaN, so the page cannot show or export them. Copies of hidden values
 * are hidden, too, and so is the loss. Results that are computed from hidden inputs are not hidden, even if they are the same: finding
 * x from y, or the gate of a ReLU, is an exercise, too.
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

/**
 * Hidden cells, by the names that their tensors have in one layer. x of a later layer is the y of the layer before it, and its dx the
 * dy of that. If any cell of a tensor is hidden, all cells of its stages are.
 */
export class Masks {
  readonly #heap: SessionHeap;
  /** By layer and name, of all layers. */
  readonly #cells: Map<string, Cells>;

  constructor(heap: SessionHeap, cells = new Map<string, Cells>()) {
    this.#heap = heap;
    this.#cells = cells;
  }

  /** The same cells, by the names of another layer. */
  at(layer: number): Masks {
    return new Masks(this.#heap.at(layer), this.#cells);
  }

  /** Whether any tensor that the layer does not compute is hidden, or has hidden cells. */
  get anyElsewhere(): boolean {
    return [...this.#cells.keys()].some((key) => !key.startsWith(`${this.#heap.layer} `));
  }

  any(name: string): boolean {
    const cells = this.#of(name);
    return cells === ALL || (cells?.size ?? 0) > 0 || (isStage(name) && this.any(PARENTS[name]));
  }

  hides(name: string, index: number): boolean {
    if (isStage(name)) return this.any(name);
    const cells = this.#of(name);
    return cells === ALL || (cells?.has(index) ?? false);
  }

  tensorOf(stage: StageName): TensorName {
    return PARENTS[stage];
  }

  /** Whether the stage itself is hidden, not only cells of its tensor. */
  named(name: StageName): boolean {
    return this.#of(name) !== undefined;
  }

  /** Hides a cell; null: all cells. */
  add(name: GridName, index: number | null): void {
    const cells = this.#of(name) ?? new Set();
    if (cells === ALL) return;
    this.#cells.set(this.#key(name), index === null ? ALL : cells.add(index));
  }

  /** Hides the copies of hidden cells of `from` in `to`. */
  propagate(from: TensorName, to: TensorName): void {
    const cells = this.#of(from) ?? [];
    for (const index of cells === ALL ? [null] : cells) this.add(to, index);
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

  #of(name: string): Cells | undefined {
    return this.#cells.get(this.#key(name));
  }

  #key(name: string): string {
    const { layer } = this.#heap;
    if (layer > 0 && (name === 'x' || name === 'dx')) return `${layer - 1} ${name === 'x' ? 'y' : 'dy'}`;
    return `${layer} ${name}`;
  }
}

/** The hidden cells of a request, by the names of its first layer. Throws ConvFailure. */
function hiddenCells(heap: SessionHeap, { hidden, layers }: ComputeRequest): Masks {
  const masks = new Masks(heap);
  for (const { layer, tensor, index } of hidden) {
    if (!layers[layer]) refuse('hidden', `there is no layer ${layer}`);
    if (!isTensor(tensor) && !isStage(tensor)) refuse('hidden', `there is no tensor ${tensor}`);
    masks.at(layer).add(tensor, index);
  }
  return masks;
}

/** A result with its hidden values replaced by NaN, and the masks for answers to later questions. */
export function hide(
  heap: SessionHeap,
  request: ComputeRequest,
  result: Omit<ComputeResult, 'revision'>,
): { readonly masks: Masks; readonly result: Omit<ComputeResult, 'revision'> } {
  const masks = hiddenCells(heap, request);
  const end = masks.at(result.layers.length - 1);
  const hidesLoss = end.any('y') || end.any('dy');
  if (result.loss !== null && end.any('y')) {
    // A cell of dy is a multiple of y - target, and all other gradients are computed from dy.
    end.propagate('y', 'dy');
    for (const layer of result.layers.keys()) {
      for (const name of ['dx', 'dw', 'db'] as const) masks.at(layer).add(name, null);
    }
  }
  const layers = result.layers.map((layer, i) =>
    hiddenIn(heap.at(i), layer, request.layers[i]?.b !== null, masks.at(i)),
  );
  const x_stats = layers[0]?.tensors.x?.stats ?? result.x_stats;
  return {
    masks,
    result: {
      ...result,
      hides: true,
      layers,
      x_stats,
      loss: result.loss !== null && hidesLoss ? Number.NaN : result.loss,
    },
  };
}

function hiddenIn(heap: SessionHeap, result: LayerResult, hasBias: boolean, masks: Masks): LayerResult {
  const tensors: Partial<Record<TensorName, Tensor>> = {};
  for (const [name, tensor] of Object.entries(result.tensors)) tensors[name as TensorName] = masks.blank(tensor, name);
  const { x_shape, w_shape, w_size, b_size } = heap.rows[heap.layer] ?? refuse('layer', 'there is no such layer');
  const inputs = [
    ...(heap.layer === 0 ? [['x', x_shape] as const] : []),
    ...(w_size > 0 ? [['w', w_shape] as const] : []),
    ...(w_size > 0 && hasBias ? [['b', [1, 1, 1, b_size]] as const] : []),
  ];
  for (const [name, shape] of inputs) {
    if (masks.any(name)) tensors[name] = masks.blank(heap.read(name, shape), name);
  }
  const { averages, ...extras } = result.extras ?? {};
  const sums = averages?.sums.map((sum, index) => (masks.hides('y', index) ? Number.NaN : sum));
  return {
    ...result,
    ...{ tensors, stats: { w: tensors.w?.stats ?? result.stats.w, b: tensors.b?.stats ?? result.stats.b } },
    ...{ extras: averages && sums ? { averages: { ...averages, sums } } : extras },
  };
}
