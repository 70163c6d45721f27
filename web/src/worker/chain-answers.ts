import { SessionHeap } from '../engine/session-heap';
import { plainGeometry, refuse } from '../engine/validate';
import type { LossName, ParameterName, Shape, Tensor, TensorName } from '../protocol/problem';
import type { Learned } from '../protocol/questions';
import { descOf, shapeSize } from '../protocol/shapes';
import { chainOf, countsPadding, type LayerInputs, type Net } from './chain';
import { type AnyDescent, History, type Learner, type LearnSettings, type State } from './history';

/** Answers questions about the whole network of the open layer. */
export class ChainAnswers {
  constructor(
    readonly heap: SessionHeap,
    readonly net: Net,
  ) {}

  /** A layer with weights, counted from 0, and its x, w and dy. */
  factors(layer: number, names: readonly TensorName[]): SessionHeap {
    if ((this.heap.rows[layer]?.w_size ?? 0) === 0) refuse('layer', `layer ${layer} is no convolution`);
    for (const name of names) {
      if (name !== 'x' && name !== 'w' && name !== 'dy') refuse('a', 'cells of x, w and dy are multiplied');
    }
    return this.heap.at(layer);
  }

  /** Copies of the inputs of a layer, counted from 0. */
  inputs(layer: number): LayerInputs {
    const [own, row] = [this.net.layers[layer], this.heap.rows[layer]];
    if (!own || !row) refuse('layer', `there is no layer ${layer}`);
    const desc = descOf(plainGeometry(this.heap.module, row.geometry));
    return {
      kind: own.kind,
      desc,
      countsPadding: countsPadding(own),
      values: (name) => this.heap.at(layer).copy(name),
    };
  }

  output(): Float32Array {
    return this.heap.end.copy('y');
  }

  /** Whether the loss is one between the y of the open layer and the target. */
  get endsOpen(): boolean {
    return this.net.open === this.net.layers.length - 1;
  }

  /** A descent of all layers, in a session of its own: it does not change the problem. */
  descent(settings: LearnSettings): AnyDescent {
    const copy = this.#copy();
    try {
      return new NetworkDescent(copy, this.net, settings);
    } catch (thrown) {
      copy.close();
      throw thrown;
    }
  }

  /** The gradient of a parameter of the open layer, as the kernels compute it with a loss and its target; null: with dy. */
  gradient(loss: LossName, parameter: ParameterName, target: Float32Array | null): Float32Array {
    const name = `d${parameter}` as const;
    if (!target) return this.heap.at(this.net.open).copy(name);
    const copy = this.#copy();
    try {
      copy.setLoss(loss);
      copy.end.write('target', target);
      runAll(copy);
      return copy.at(this.net.open).copy(name);
    } finally {
      copy.close();
    }
  }

  /** Another session of the network, with its x, weights and target. */
  #copy(): SessionHeap {
    const copy = new SessionHeap(this.heap.module);
    try {
      const { input, layers } = chainOf(copy.module, this.net);
      copy.setChain(input, layers);
      copy.take('x', this.heap.at(0));
      copy.take('target', this.heap.at(0));
      this.heap.rows.forEach(({ w_size }, i) => {
        if (w_size === 0) return;
        for (const name of ['w', 'b'] as const) copy.at(i).take(name, this.heap.at(i));
      });
      return copy;
    } catch (thrown) {
      copy.close();
      throw thrown;
    }
  }
}

function runAll(heap: SessionHeap): void {
  for (let step = heap.next(); step; step = heap.next()) {
    if (step.operation === 'loss') heap.runLoss();
    else heap.at(step.layer).runPlanned(step.operation);
  }
}

/** Gradient descent on the weights of all layers of a network. The library computes all values. */
class NetworkDescent implements AnyDescent, Learner {
  readonly #heap: SessionHeap;
  readonly #open: SessionHeap;
  readonly #rate: number;
  /** Indices of the convolutions, and of the ReLU layers. */
  readonly #convolutions: readonly number[];
  readonly #gates: readonly number[];
  readonly #history: History;

  /** Takes over a session of its own, with x, the weights and the target; without a target, it is 0 everywhere. */
  constructor(heap: SessionHeap, { layers, open }: Net, { rate, scale = 1, watch }: LearnSettings) {
    this.#heap = heap;
    this.#gates = layers.flatMap(({ kind }, i) => (kind === 'relu' ? [i] : []));
    this.#open = heap.at(open);
    this.#rate = rate;
    this.#convolutions = heap.rows.flatMap(({ w_size }, i) => (w_size > 0 ? [i] : []));
    const length = shapeSize(heap.rows.at(-1)?.y_shape ?? [0, 0, 0, 0]);
    if (heap.length('target') !== length) heap.write('target', new Float32Array(length));
    heap.setLoss('mse');
    // A step against w itself. Biases stay.
    if (scale !== 1) for (const i of this.#convolutions) this.#subtract(i, 'w', 'w', 1 - scale);
    this.#history = new History(this, watch);
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

  /** No cell passes, and not because all inputs are 0. */
  #isClosed(gate: number): boolean {
    const x = this.#heap.at(gate).view('x');
    return x.some((value) => value < 0) && !x.some((value) => value > 0);
  }

  #subtract(layer: number, to: 'w', of: 'w', rate: number): void {
    const { module, session } = this.#heap;
    const [target, source] = [this.#heap.slot(to).value, this.#heap.slot(of).value];
    if (module._conv2d_subtract(session.handle, layer, target, source, rate) !== 0) throw new Error('no such layer');
  }
}
