import type { SessionHeap } from '../engine/session-heap';
import { plainGeometry, refuse } from '../engine/validate';
import type { PlaneSizes, SentLayer } from '../protocol/network';
import type { ConvDesc, InputName, LossName, ParameterName, Shape, Tensor, TensorName } from '../protocol/problem';
import type { Learned } from '../protocol/questions';
import { descOf, shapeSize } from '../protocol/shapes';
import type { NetworkModule } from '../wasm/module';
import { Chain } from './chain';
import { type AnyDescent, History, type Learner, type LearnSettings, type State } from './history';

/** A network as it is set in a chain. */
export interface ChainProblem {
  readonly open: number;
  readonly layers: readonly SentLayer[];
  readonly input: PlaneSizes;
  readonly x: Float32Array;
  /** Of the loss; null: 0 everywhere, or no loss. */
  readonly target: Float32Array | null;
}

/** What a layer computes from. */
export interface LayerInputs {
  readonly kind: string;
  readonly desc: ConvDesc;
  /** Of average pooling: the padding counts as cells. */
  readonly countsPadding: boolean;
  readonly values: (name: InputName) => Float32Array;
}

/** A check of the gradient of one parameter. */
export interface CheckOptions {
  readonly loss: LossName;
  readonly parameter: ParameterName;
  readonly float64: boolean;
  /** null: the linear loss, with the current dy. */
  readonly target: Float32Array | null;
  /** Cells of the parameter; empty: all. */
  readonly indices: Int32Array;
}

/** One step of a check: the summary and the table of the library, a row for each column of `cells` entries. */
export type CheckOnce = (epsilon: number) => {
  readonly cells: number;
  readonly verdict: number;
  readonly max_absolute_error: number;
  readonly max_relative_error: number;
  readonly table: Float64Array;
};

/** Answers questions about the whole network of the open layer, with the chain that computed it. */
export class ChainAnswers {
  /** `run` computes the network again: the chain may have another one by now. `heap`: for tensors of any layer. */
  constructor(
    private readonly chain: Chain,
    private readonly of: ChainProblem,
    private readonly run: () => void,
    private readonly heap: SessionHeap,
  ) {}

  /** A session with these tensors of a convolution, of its x, w and dy; valid until the next call. `layer`: counted from 0. */
  factors(layer: number, names: readonly TensorName[]): SessionHeap {
    this.run();
    if ((this.chain.rows[layer]?.w_size ?? 0) === 0) refuse('layer', `layer ${layer} is no convolution`);
    for (const name of names) {
      if (name !== 'x' && name !== 'w' && name !== 'dy') refuse('a', 'cells of x, w and dy are multiplied');
      this.heap.write(name, this.#input(layer, name));
    }
    return this.heap;
  }

  /** Copies of the inputs of a layer, counted from 0. */
  inputs(layer: number): LayerInputs {
    this.run();
    const [own, row] = [this.of.layers[layer], this.chain.rows[layer]];
    if (!own || !row) refuse('layer', `there is no layer ${layer}`);
    const desc = descOf(plainGeometry(this.chain.module, row.geometry));
    const countsPadding = own.options.count_include_pad !== 0;
    return { kind: own.kind, desc, countsPadding, values: (name) => this.#input(layer, name) };
  }

  get module(): NetworkModule {
    return this.chain.module;
  }

  output(): Float32Array {
    this.run();
    return this.chain.view(this.#last, 'y').slice();
  }

  /** Checks the open layer with the loss at the end of the network. */
  checks<Value>({ loss, parameter, float64, target, indices }: CheckOptions, act: (once: CheckOnce) => Value): Value {
    const chain = this.chain;
    const { module, handle } = chain;
    const layer = this.of.open;
    this.run();
    // The gradient of the linear loss is dy itself.
    const other = target ?? chain.view(this.#last, 'dy').slice();
    chain.write(0, 'target', other, other.length);
    // Without a bias, checks db for a bias of zeros.
    const filters = chain.rows[layer]?.b_size ?? 0;
    if (parameter === 'b' && chain.view(layer, 'b').length === 0) {
      chain.write(layer, 'b', new Float32Array(filters), filters);
    }
    chain.forward();
    chain.lossDy(loss);
    chain.backward();
    chain.must(module.chain_reserve_check_cells(handle, indices.length));
    module.chain_check_cells(handle).set(indices);
    const options = { loss: module.Loss[loss], layer, parameter: module.Parameter[parameter], float64 };
    return act((epsilon) => {
      const { status: _, ...summary } = chain.must(module.chain_gradient_check(handle, { ...options, epsilon }));
      return { ...summary, table: module.chain_check_table(handle).slice() };
    });
  }

  /** A descent of all layers, with a chain of its own: it does not change the problem. */
  descent(settings: LearnSettings): AnyDescent {
    const { layers, input, x, target, open } = this.of;
    const chain = new Chain(this.chain.module);
    try {
      chain.set(layers, input, x);
      return new NetworkDescent(chain, layers, open, target, settings);
    } catch (thrown) {
      chain.dispose();
      throw thrown;
    }
  }

  get #last(): number {
    return this.chain.rows.length - 1;
  }

  /** A copy: writing elsewhere may move the memory. */
  #input(layer: number, name: InputName): Float32Array {
    return (name === 'x' && layer > 0 ? this.chain.view(layer - 1, 'y') : this.chain.view(layer, name)).slice();
  }
}

/** Gradient descent on the weights of all layers of a network. The library computes all values. */
class NetworkDescent implements AnyDescent, Learner {
  readonly #chain: Chain;
  readonly #open: number;
  readonly #rate: number;
  /** Indices of the convolutions, and of the ReLU layers. */
  readonly #convolutions: readonly number[];
  readonly #gates: readonly number[];
  readonly #history: History;

  /** Takes over a chain of its own, with x and the weights. `open`: index of the open layer. `target` null: 0 everywhere. */
  constructor(
    chain: Chain,
    layers: readonly SentLayer[],
    open: number,
    target: Float32Array | null,
    { rate, scale = 1, watch }: LearnSettings,
  ) {
    this.#chain = chain;
    this.#gates = layers.flatMap(({ kind }, i) => (kind === 'relu' ? [i] : []));
    this.#open = open;
    this.#rate = rate;
    this.#convolutions = chain.rows.flatMap(({ w_size }, i) => (w_size > 0 ? [i] : []));
    const length = shapeSize(chain.end);
    chain.write(0, 'target', target ?? new Float32Array(length), length);
    if (scale !== 1) this.#scaleWeights(scale);
    this.#history = new History(this, watch);
  }

  dispose(): void {
    this.#chain.dispose();
  }

  at(steps: number): Learned {
    const reached = this.#history.to(steps);
    const chain = this.#chain;
    const [open, row] = [this.#open, chain.rows[this.#open]];
    const isEnd = open === chain.rows.length - 1;
    const { x_shape, w_shape, y_shape } = row ?? { x_shape: chain.end, w_shape: chain.end, y_shape: chain.end };
    const bias: Shape = [1, 1, 1, row?.geometry.k ?? 0];
    const shapes = {
      w: w_shape,
      dw: w_shape,
      y: y_shape,
      dy: y_shape,
      ...(this.#hasBias(open) && { b: bias, db: bias }),
    };
    const tensors: Partial<Record<TensorName, Tensor>> = Object.fromEntries(
      Object.entries(shapes).map(([name, shape]) => [name, chain.read(open, name as keyof typeof shapes, shape)]),
    );
    if (open > 0) tensors.x = chain.read(open - 1, 'y', x_shape);
    return {
      ...reached,
      tensors,
      target: isEnd ? chain.read(0, 'target', y_shape) : null,
      step_size: null,
      layers: this.#convolutions.map((i) => ({
        w: chain.view(i, 'w').slice(),
        b: this.#hasBias(i) ? chain.view(i, 'b').slice() : null,
      })),
      closed: this.#gates.filter((i) => this.#isClosed(i)),
    };
  }

  state(): State {
    const named = (name: 'w' | 'b') =>
      this.#convolutions.map((i) => [`${name}${i}`, this.#chain.view(i, name).slice()] as const);
    return new Map([...named('w'), ...named('b')]);
  }

  put(state: State): void {
    for (const name of ['w', 'b'] as const) {
      for (const i of this.#convolutions) this.#chain.view(i, name).set(state.get(`${name}${i}`) ?? []);
    }
  }

  gradients(): number {
    const chain = this.#chain;
    chain.forward();
    const loss = chain.lossDy('mse');
    chain.backward();
    return loss;
  }

  move(): void {
    this.#step(this.#rate);
  }

  watched(): Float32Array {
    return this.#chain.view(this.#open, 'w').slice();
  }

  norms(): readonly number[] {
    const { module, handle } = this.#chain;
    return this.#convolutions.map((i) => module.chain_norm(handle, i, module.ChainSlot.dw));
  }

  /** No cell passes, and not because all inputs are 0. */
  #isClosed(gate: number): boolean {
    const x = gate === 0 ? this.#chain.view(0, 'x') : this.#chain.view(gate - 1, 'y');
    return x.some((value) => value < 0) && !x.some((value) => value > 0);
  }

  #hasBias(layer: number): boolean {
    return this.#chain.view(layer, 'b').length > 0;
  }

  #step(rate: number): void {
    this.#chain.must(this.#chain.module.chain_sgd_step(this.#chain.handle, rate));
  }

  /** w - (1 - scale) w: a step against w itself. Biases stay. */
  #scaleWeights(scale: number): void {
    for (const i of this.#convolutions) {
      const w = this.#chain.view(i, 'w').slice();
      this.#chain.view(i, 'dw').set(w);
      this.#chain.view(i, 'db').fill(0);
    }
    this.#step(1 - scale);
  }
}
