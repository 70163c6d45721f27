import type { SessionHeap } from '../engine/session-heap';
import type { Shape, Tensor, TensorName } from '../protocol/problem';
import type { Learned } from '../protocol/questions';
import { shapeSize } from '../protocol/shapes';
import type { QuestionContext } from './answerer';
import { type AnyDescent, History, type Learner, type LearnSettings, type State } from './history';
import { copyOf, runAll } from './own-session';

/** Gradient descent on the weights of all layers. The library computes all values. */
export class LayersDescent implements AnyDescent, Learner {
  readonly #heap: SessionHeap;
  readonly #open: SessionHeap;
  readonly #rate: number;
  /** Indices of the convolutions, and of the layers that compute each cell of y from one of x. */
  readonly #convolutions: readonly number[];
  readonly #gates: readonly number[];
  readonly #history: History;

  /** In a session of its own: it does not change the problem. Without a target, it is 0 everywhere. */
  constructor(context: QuestionContext, { rate, scale = 1, watch }: LearnSettings) {
    const heap = copyOf(context);
    this.#heap = heap;
    try {
      this.#open = heap.at(context.heap.layer);
      this.#rate = rate;
      this.#convolutions = heap.rows.flatMap(({ w_size }, i) => (w_size > 0 ? [i] : []));
      this.#gates = heap.rows.flatMap(({ w_size, geometry: { kh, kw } }, i) =>
        w_size === 0 && kh * kw === 1 ? [i] : [],
      );
      const length = shapeSize(heap.rows.at(-1)?.y_shape ?? [0, 0, 0, 0]);
      if (heap.length('target') !== length) heap.write('target', new Float32Array(length));
      heap.setLoss('mse');
      // A step against w itself. Biases stay.
      if (scale !== 1) for (const i of this.#convolutions) this.#subtract(i, 'w', 'w', 1 - scale);
      this.#history = new History(this, watch);
    } catch (thrown) {
      heap.close();
      throw thrown;
    }
  }

  dispose(): void {
    this.#heap.close();
  }

  at(steps: number): Learned {
    const reached = this.#history.to(steps);
    const [heap, open] = [this.#heap, this.#open];
    const isEnd = open.layer === heap.rows.length - 1;
    const none: Shape = [0, 0, 0, 0];
    const { x_shape, w_shape, y_shape, geometry } = heap.rows[open.layer] ?? {
      ...{ x_shape: none, w_shape: none, y_shape: none, geometry: { k: 0 } },
    };
    const bias: Shape = [1, 1, 1, geometry.k];
    const shapes = {
      ...{ w: w_shape, dw: w_shape, y: y_shape, dy: y_shape },
      ...(open.length('b') > 0 && { b: bias, db: bias }),
      ...(open.layer > 0 && { x: x_shape }),
    };
    const tensors: Partial<Record<TensorName, Tensor>> = Object.fromEntries(
      Object.entries(shapes).map(([name, shape]) => [name, open.read(name as keyof typeof shapes, shape)]),
    );
    return {
      ...reached,
      tensors,
      target: isEnd ? heap.read('target', y_shape) : null,
      step_size: null,
      layers: this.#convolutions.map((i) => ({
        w: heap.at(i).copy('w'),
        b: heap.at(i).length('b') > 0 ? heap.at(i).copy('b') : null,
      })),
      closed: this.#gates.filter((i) => this.#isClosed(i)),
    };
  }

  state(): State {
    const named = (name: 'w' | 'b') =>
      this.#convolutions.map((i) => [`${name}${i}`, this.#heap.at(i).copy(name)] as const);
    return new Map([...named('w'), ...named('b')]);
  }

  put(state: State): void {
    for (const name of ['w', 'b'] as const) {
      for (const i of this.#convolutions) {
        const values = state.get(`${name}${i}`);
        if (values && values.length > 0) this.#heap.at(i).write(name, values);
      }
    }
  }

  gradients(): number {
    runAll(this.#heap);
    return this.#heap.session.loss();
  }

  move(): void {
    const { module, session } = this.#heap;
    if (module._conv2d_sgd_step(session.handle, 0, this.#rate) !== 0) throw new Error('the gradients are not current');
  }

  watched(): Float32Array {
    return this.#open.copy('w');
  }

  norms(): readonly number[] {
    const { module, session } = this.#heap;
    return this.#convolutions.map((i) => session.norm(i, module.Slot.dw));
  }

  /** y is 0 everywhere, and x is not. */
  #isClosed(gate: number): boolean {
    const isZero = (name: 'x' | 'y') =>
      this.#heap
        .at(gate)
        .view(name)
        .every((value) => value === 0);
    return isZero('y') && !isZero('x');
  }

  #subtract(layer: number, to: 'w', of: 'w', rate: number): void {
    const { module, session } = this.#heap;
    const [target, source] = [this.#heap.slot(to).value, this.#heap.slot(of).value];
    if (module._conv2d_subtract(session.handle, layer, target, source, rate) !== 0) throw new Error('no such layer');
  }
}
