import type { SessionHeap } from '../engine/session-heap';
import { isPerPosition } from '../losses/list';
import type { Learned, StepSize } from '../protocol/learn';
import { PASSES, type TensorName } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import { problemIn, type QuestionContext, type SessionLayer } from './answerer';
import { type Learner, LearnHistory, type LearnSettings, type State } from './history';
import { chainCopy, copyOf } from './own-session';

/** Maximum multiply-adds, and steps, of a power iteration. */
const MOST_WORK = 2e9;
const MOST_ROUNDS = 1000;
const LEAST_ROUNDS = 20;

function roundsFor({ geometry: g, shapes }: SessionLayer): number {
  const work = 2 * shapeSize(shapes.y) * g.kh * g.kw * g.group_c;
  return Math.max(LEAST_ROUNDS, Math.min(MOST_ROUNDS, Math.floor(MOST_WORK / Math.max(1, work))));
}

/** random_dy has values from -4 to 4. */
const NOISE_RANGE = 4;
const NOISE_SEED = 1;

/**
 * Gradient descent on x, or on the weights of all layers, from the values of a problem. Goes forwards and backwards to any step. It has
 * sessions of its own, and does not change the problem. The library computes all values.
 */
export class Descent implements Learner {
  readonly #settings: LearnSettings;
  /** The squared error, or that of the problem where its target is a distribution. */
  readonly #loss: string;
  /** The layer that is asked about. */
  readonly #shown: number;
  readonly #all: SessionHeap;
  /** For mini-batches; null if a step uses all images. */
  readonly #batch: SessionHeap | null;
  /** What is learned, by its layer. */
  readonly #learned: readonly (readonly [layer: number, name: 'x' | 'w' | 'b'])[];
  /** Indices of the convolutions, and of the layers that compute each cell of y from one of x. */
  readonly #convolutions: readonly number[];
  readonly #gates: readonly number[];
  readonly #stepSize: StepSize | null;
  readonly #history: LearnHistory;
  /** x and target of all images, for batches. */
  readonly #x: Float32Array;
  readonly #target: Float32Array;

  constructor(context: QuestionContext, settings: LearnSettings) {
    const { learns, fromZero, scale, batch, watch } = settings;
    const { n } = context.chain.input;
    this.#settings = settings;
    this.#shown = context.heap.layer;
    const all = copyOf(context);
    this.#all = all;
    this.#batch = learns === 'w' && batch < n ? chainCopy(context, batch) : null;
    this.#loss = settings.teacher === null && isPerPosition(context.heap.lossName) ? context.heap.lossName : 'mse';
    this.#batch?.setLoss(this.#loss);
    const layers = [...all.rows.keys()];
    const hasWeights = (i: number) => (all.rows[i]?.w_size ?? 0) > 0;
    const isOneToOne = (i: number) => all.rows[i]?.geometry.kh === 1 && all.rows[i]?.geometry.kw === 1;
    this.#convolutions = layers.filter(hasWeights);
    this.#gates = layers.filter((i) => !hasWeights(i) && isOneToOne(i));
    this.#learned =
      learns === 'x'
        ? [[0, 'x']]
        : this.#convolutions.flatMap((i) => [
            [i, 'w'] as const,
            ...(all.at(i).length('b') > 0 ? [[i, 'b'] as const] : []),
          ]);
    try {
      this.#target = this.#targetFrom(context);
      this.#x = all.copy('x');
      if (fromZero) this.put(this.state().map(({ length }) => new Float32Array(length)));
      // A step against w itself. Biases stay.
      if (scale !== 1) for (const i of this.#convolutions) subtract(all.at(i), 'w', 'w', 1 - scale);
      this.#stepSize =
        layers.length === 1 && this.#loss === 'mse' ? this.#powerIteration(roundsFor(context.problem)) : null;
      this.#history = new LearnHistory(this, watch);
    } catch (thrown) {
      this.dispose();
      throw thrown;
    }
  }

  dispose(): void {
    this.#all.close();
    this.#batch?.close();
  }

  /** The state after `steps` steps, or after the last step with a finite loss. */
  at(steps: number): Learned {
    const reached = this.#history.to(steps);
    const shown = this.#all.at(this.#shown);
    const { shapes } = problemIn(shown);
    const isX = this.#settings.learns === 'x';
    const names: readonly TensorName[] = [
      ...(isX ? (['x', 'dx'] as const) : (['w', 'dw'] as const)),
      ...(!isX && shown.length('b') > 0 ? (['b', 'db'] as const) : []),
      ...(this.#findsX ? (['w'] as const) : []),
      ...(shown.layer > 0 ? (['x'] as const) : []),
      ...(['y', 'dy'] as const),
    ];
    return {
      ...reached,
      tensors: Object.fromEntries(names.map((name) => [name, shown.read(name, shapes[name])])),
      target: shown.layer === shown.end.layer ? shown.read('target', shapes.y) : null,
      step_size: this.#stepSize,
      layers: this.#convolutions.map((i) => ({
        w: shown.at(i).copy('w'),
        b: shown.at(i).length('b') > 0 ? shown.at(i).copy('b') : null,
      })),
      closed: this.#gates.filter((i) => this.#isClosed(i)),
    };
  }

  state(): State {
    return this.#learned.map(([layer, name]) => this.#all.at(layer).copy(name));
  }

  put(state: State): void {
    this.#learned.forEach(([layer, name], i) => {
      const values = state[i];
      if (values) this.#all.at(layer).write(name, values);
    });
  }

  gradients(): number {
    return this.#run(this.#all);
  }

  move(steps: number): void {
    const moved = this.#batch ?? this.#all;
    // The batch moves its own copies of the parameters.
    if (this.#batch) this.#gradientsOfBatch(this.#batch, steps);
    const { rate } = this.#settings;
    if (moved.module._conv2d_sgd_step(moved.session.handle, this.#ofX, rate) !== 0) {
      throw new Error('the gradients are not those of the present values');
    }
    if (this.#batch) for (const [layer, name] of this.#learned) this.#all.at(layer).take(name, this.#batch.at(layer));
  }

  watched(): Float32Array {
    return this.#all.at(this.#shown).copy(this.#settings.learns);
  }

  norms(): readonly number[] {
    const { module, session } = this.#all;
    return this.#ofX ? [] : this.#convolutions.map((i) => session.norm(i, module.Slot.dw));
  }

  get #ofX(): 0 | 1 {
    return this.#settings.learns === 'x' ? 1 : 0;
  }

  get #findsX(): boolean {
    return this.#settings.learns === 'x' && this.#settings.teacher !== null;
  }

  /** Computes y, dy and the gradients of what is learned, current or not. Returns the loss. */
  #run(heap: SessionHeap): number {
    const layers = heap.rows.map((_, i) => heap.at(i));
    for (const layer of layers) layer.runPlanned('forward');
    const loss = heap.runLoss();
    for (const layer of layers.reverse()) {
      const isNeeded = {
        ...{ forward: false, backward_data: layer.layer > 0 || this.#ofX === 1 },
        ...{ backward_weights: this.#ofX === 0 && this.#convolutions.includes(layer.layer) },
        backward_bias: this.#ofX === 0 && layer.length('b') > 0,
      };
      for (const pass of PASSES) if (isNeeded[pass]) layer.runPlanned(pass);
    }
    return loss;
  }

  /** Computes the gradients of the next mini-batch at the current values. */
  #gradientsOfBatch(heap: SessionHeap, steps: number): void {
    const { batch } = this.#settings;
    const n = this.#all.rows[0]?.geometry.n ?? 1;
    const images = Array.from({ length: batch }, (_, i) => (steps * batch + i) % n);
    const chosen = (values: Float32Array): Float32Array => {
      const size = values.length / n;
      const part = new Float32Array(size * batch);
      images.forEach((image, i) => {
        part.set(values.subarray(image * size, (image + 1) * size), i * size);
      });
      return part;
    };
    heap.write('x', chosen(this.#x));
    heap.write('target', chosen(this.#target));
    for (const [layer, name] of this.#learned) heap.at(layer).take(name, this.#all.at(layer));
    this.#run(heap);
  }

  /** The teacher's y, or the existing target, or 0; plus noise. From then on dy is the gradient of the loss. */
  #targetFrom({ heap: source }: QuestionContext): Float32Array {
    const { teacher, noise } = this.#settings;
    const all = this.#all;
    const { end } = all;
    if (teacher) {
      let start = 0;
      for (const i of this.#convolutions) {
        const layer = all.at(i);
        const stop = start + layer.length('w');
        layer.write('w', teacher.weights.slice(start, stop));
        if (teacher.scale !== 1) subtract(layer, 'w', 'w', 1 - teacher.scale);
        layer.release('b');
        start = stop;
      }
      for (const i of all.rows.keys()) all.at(i).runPlanned('forward');
      all.write('target', end.copy('y'));
      // If x is found, the weights are those of the teacher.
      if (!this.#findsX)
        for (const i of this.#convolutions) for (const name of ['w', 'b'] as const) all.at(i).take(name, source.at(i));
    }
    const cells = shapeSize(problemIn(end).shapes.y);
    if (all.length('target') !== cells) all.write('target', new Float32Array(cells));
    if (noise > 0 && this.#loss === 'mse') {
      all.must(all.session.random_dy(NOISE_SEED));
      subtract(end, 'target', 'dy', -noise / NOISE_RANGE);
    }
    all.setLoss(this.#loss);
    return all.copy('target');
  }

  /**
   * Largest eigenvalue by power iteration: of one convolution, where the loss is a parabola. The start vector is hardly orthogonal to its
   * eigenvector.
   */
  #powerIteration(rounds: number): StepSize {
    const heap = this.#all;
    const { rate } = this.#settings;
    const [start, bias] = [this.state(), heap.copy('b')];
    if (this.#ofX) heap.release('b');
    heap.write('target', new Float32Array(this.#target.length));
    heap.write('result', new Float32Array(3));
    this.put(start.map((values) => values.map((_, i) => 1 + ((7 * i) % 5))));
    let before = Number.NaN;
    for (let round = 0; round < rounds; round += 1) {
      this.gradients();
      if (heap.module._conv2d_power_iteration_step(heap.session.handle, this.#ofX, rate) !== 0) {
        throw new Error(`${this.#settings.learns} and its gradient are not of one length`);
      }
      const [curvature = 0] = heap.copy('result');
      if (curvature === before) break;
      before = curvature;
    }
    const [curvature = 0, largest_rate = 0, factor = 1] = heap.copy('result');
    heap.release('result');
    heap.write('b', bias);
    heap.write('target', this.#target);
    this.put(start);
    return { curvature, largest_rate, factor };
  }

  /** y is 0 everywhere, and x is not. */
  #isClosed(gate: number): boolean {
    const isZero = (name: 'x' | 'y') =>
      this.#all
        .at(gate)
        .view(name)
        .every((value) => value === 0);
    return isZero('y') && !isZero('x');
  }
}

/** `to` -= rate * `of`, in a layer. */
function subtract({ module, session, layer }: SessionHeap, to: 'w' | 'target', of: 'w' | 'dy', rate: number): void {
  const [target, source] = [module.Slot[to].value, module.Slot[of].value];
  if (module._conv2d_subtract(session.handle, layer, target, source, rate) !== 0)
    throw new Error(`${to} and ${of} differ in length`);
}
