import { ConvFailure } from '../engine/failure';
import type { SessionHeap } from '../engine/session-heap';
import { checkCount, checkFields, checkList, checkText } from '../engine/validate';
import type { Hidden } from '../protocol/cell';
import type { ComputeRequest, ComputeResult } from '../protocol/messages';
import type { Shape, StageName, Tensor, TensorName } from '../protocol/problem';
import { biasShape, type Masks, type Problem } from './answerer';
import { OUTPUTS } from './compute';
import { needsOutput } from './dy';

/**
 * What must not leave the worker. A hidden number is sent as NaN, wherever it stands: the page cannot show, name or write
 * down what it never had. What is made of a hidden number by nothing but moving it is hidden with it, and so is a loss; what
 * is computed from hidden inputs is not: to find x from y is an exercise too.
 */

/** The tensor whose numbers, or parts of them, a stage holds. */
const PARENTS: Readonly<Record<StageName, TensorName>> = {
  x_padded: 'x',
  x_col: 'x',
  w_col: 'w',
  w_exchanged: 'w',
  w_turned: 'w',
  dy_col: 'dy',
  dy_spread: 'dy',
  dy_extended: 'dy',
  dy_inserted: 'dy',
  y_col: 'y',
  dx_col: 'dx',
  dx_padded: 'dx',
  dw_col: 'dw',
  dw_uncropped: 'dw',
  dw_per_image: 'dw',
};

const TENSORS: readonly TensorName[] = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'];
const isTensor = (name: string): name is TensorName => TENSORS.includes(name as TensorName);
const isStage = (name: string): name is StageName => Object.hasOwn(PARENTS, name);

const ALL = 'all';
type Cells = Set<number> | typeof ALL;

class Hiding implements Masks {
  readonly #heap: SessionHeap;
  readonly #cells = new Map<string, Cells>();

  constructor(heap: SessionHeap, hidden: readonly Hidden[]) {
    this.#heap = heap;
    for (const { tensor, index } of hidden) this.#add(tensor, index);
  }

  any(name: TensorName | StageName): boolean {
    const cells = this.#cells.get(name);
    return cells === ALL || (cells?.size ?? 0) > 0 || (isStage(name) && this.any(PARENTS[name]));
  }

  hides(name: TensorName | StageName, index: number): boolean {
    if (isStage(name)) return this.any(name);
    const cells = this.#cells.get(name);
    return cells === ALL || (cells?.has(index) ?? false);
  }

  named(name: StageName): boolean {
    return this.#cells.has(name);
  }

  /** What is made of the numbers of one tensor, by nothing but moving them. */
  follow(from: TensorName, to: readonly TensorName[], whole = false): void {
    const cells = this.#cells.get(from);
    if (cells === undefined) return;
    for (const name of to) {
      if (whole || cells === ALL) this.#cells.set(name, ALL);
      else for (const index of cells) this.#add(name, index);
    }
  }

  blank(tensor: Tensor, name: TensorName): Tensor {
    return this.any(name) ? this.blankWhere(tensor, (index) => this.hides(name, index)) : tensor;
  }

  blankWhere({ shape, data }: Tensor, isHidden: (index: number) => boolean): Tensor {
    for (let index = 0; index < data.length; index += 1) if (isHidden(index)) data[index] = Number.NaN;
    // The library leaves out what is no number: neither a colour nor a legend tells of what is hidden.
    this.#heap.write('result', data);
    const stats = this.#heap.stats('result');
    this.#heap.release('result');
    return { shape, data, stats };
  }

  /** Where copies of a tensor's hidden cells lie in a stage: the library moves them there. `as`: the input that lies alike. */
  moved(name: TensorName, as: 'x' | 'w' | 'dy', move: () => void): Float32Array {
    const before = this.#heap.copy(as);
    const marks = before.map((_, index) => (this.hides(name, index) ? Number.NaN : 0));
    this.#heap.write(as, marks);
    try {
      move();
      return this.#heap.copy('stage');
    } finally {
      this.#heap.write(as, before);
      this.#heap.release('stage');
    }
  }

  #add(name: string, index: number | null): void {
    const cells = this.#cells.get(name) ?? new Set();
    if (cells === ALL) return;
    this.#cells.set(name, index === null ? ALL : cells.add(index));
  }
}

function checked(hidden: unknown): readonly Hidden[] {
  return checkList(hidden, 'hidden').map((entry, i) => {
    const field = `hidden[${i}]`;
    const { tensor, index } = checkFields(entry, ['tensor', 'index'], field, `${field}.`);
    const name = checkText(tensor, `${field}.tensor`);
    if (!isTensor(name) && !isStage(name)) {
      throw new ConvFailure('invalid_argument', `${field}.tensor`, `there is no tensor called ${name}`);
    }
    return { tensor: name, index: index === null ? null : checkCount(index, `${field}.index`) };
  });
}

/** A result without what is hidden, and what answers to questions about it have to leave out. */
export function hide(
  heap: SessionHeap,
  problem: Problem,
  { hidden, b, dy }: ComputeRequest,
  result: Omit<ComputeResult, 'revision'>,
): { readonly masks: Masks; readonly result: Omit<ComputeResult, 'revision'> } {
  const masks = new Hiding(heap, checked(hidden));
  const loss = masks.any('y') || masks.any('dy') ? Number.NaN : result.loss;
  if (needsOutput(dy)) {
    // A cell of dy is a multiple of what y misses its target by, and the gradients of x, w and b are made of dy.
    masks.follow('y', ['dy']);
    masks.follow('y', ['dx', 'dw', 'db'], true);
  }
  const tensors: Partial<Record<TensorName, Tensor>> = {};
  for (const name of ['dy', ...Object.values(OUTPUTS)] as const) {
    const tensor = result.tensors[name];
    if (tensor) tensors[name] = masks.blank(tensor, name);
  }
  const given: readonly (readonly ['x' | 'w' | 'b', Shape])[] = [
    ['x', problem.x_shape],
    ['w', problem.w_shape],
    ...(b === null ? [] : [['b', biasShape(problem)] as const]),
  ];
  const stats = { ...result.input_stats };
  for (const [name, shape] of given) {
    if (!masks.any(name)) continue;
    const tensor = masks.blank(heap.read(name, shape), name);
    tensors[name] = tensor;
    stats[name] = tensor.stats;
  }
  return {
    masks,
    result: { ...result, hides: true, tensors, input_stats: stats, loss: result.loss === null ? null : loss },
  };
}
