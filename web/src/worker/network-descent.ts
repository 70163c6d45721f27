import type { Shape, Tensor, TensorName } from '../protocol/problem';
import type { Learned } from '../protocol/questions';
import { shapeSize } from '../protocol/shapes';
import type { AnyDescent, LearnSettings } from './answerer';
import type { Chain } from './chain';
import { History, type Learner, type State } from './history';

/** Gradient descent on the weights of all layers of a network. The library computes all values. */
export class NetworkDescent implements AnyDescent, Learner {
  readonly #chain: Chain;
  readonly #open: number;
  readonly #rate: number;
  /** Indices of the convolutions. */
  readonly #convolutions: readonly number[];
  readonly #history: History;

  /** Takes over a chain of its own, with x and the weights. `open`: index of the open layer. `target` null: 0 everywhere. */
  constructor(chain: Chain, open: number, target: Float32Array | null, { rate, scale = 1, watch }: LearnSettings) {
    this.#chain = chain;
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
    this.#history.to(steps);
    const chain = this.#chain;
    const [open, row] = [this.#open, chain.rows[this.#open]];
    const isEnd = open === chain.rows.length - 1;
    const { x_shape, w_shape, y_shape } = row ?? { x_shape: chain.end, w_shape: chain.end, y_shape: chain.end };
    const bias: Shape = [1, 1, 1, row?.geometry.k ?? 0];
    const own: readonly (readonly [TensorName & ('w' | 'b' | 'y' | 'dw' | 'db' | 'dy'), Shape])[] = [
      ...([
        ['w', w_shape],
        ['dw', w_shape],
        ['y', y_shape],
        ['dy', y_shape],
      ] as const),
      ...(this.#hasBias(open)
        ? ([
            ['b', bias],
            ['db', bias],
          ] as const)
        : []),
    ];
    const tensors: Partial<Record<TensorName, Tensor>> = Object.fromEntries(
      own.map(([name, shape]) => [name, chain.read(open, name, shape)]),
    );
    if (open > 0) tensors.x = chain.read(open - 1, 'y', x_shape);
    return {
      steps: this.#history.steps,
      tensors,
      target: isEnd ? chain.read(0, 'target', y_shape) : null,
      loss: this.#history.loss,
      history: this.#history.points(),
      step_size: null,
      layers: this.#convolutions.map((i) => ({
        w: chain.view(i, 'w').slice(),
        b: this.#hasBias(i) ? chain.view(i, 'b').slice() : null,
      })),
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
