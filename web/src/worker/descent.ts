import { SessionHeap } from '../engine/session-heap';
import type { TensorName } from '../protocol/problem';
import type { LearnAsk, Learned, StepSize } from '../protocol/questions';
import { descOf, shapeSize } from '../protocol/shapes';
import type { MainModule } from '../wasm/module';
import type { Problem, QuestionContext } from './answerer';
import { type AnyDescent, History, type LearnSettings, type Learner as Moved, type State } from './history';

/** One session that runs the passes of gradient descent. The library computes all values. */
class Learner {
  readonly heap: SessionHeap;

  constructor(
    module: MainModule,
    { geometry }: Problem,
    readonly learns: LearnAsk['learns'],
    images = geometry.n,
  ) {
    this.heap = new SessionHeap(module);
    this.heap.setProblem(descOf({ ...geometry, n: images }));
  }

  get #learnsBias(): boolean {
    return this.learns === 'w' && this.heap.length('b') > 0;
  }

  /** Computes y, dy and the gradients at the current values. Returns the loss. */
  gradients(): number {
    this.heap.runPlanned('forward');
    const loss = this.heap.runLoss();
    this.heap.runPlanned(this.learns === 'x' ? 'backward_data' : 'backward_weights');
    if (this.#learnsBias) this.heap.runPlanned('backward_bias');
    return loss;
  }

  /** Precondition: gradients(), and no write since. */
  sgdStep(rate: number): void {
    const { module, session } = this.heap;
    if (module._conv2d_sgd_step(session.handle, this.learns === 'x' ? 1 : 0, rate) !== 0) {
      throw new Error('the gradients are not those of the present values');
    }
  }

  /**
   * Largest eigenvalue by power iteration. The start vector is hardly orthogonal to its eigenvector. Overwrites the
   * parameters.
   */
  powerIteration(rate: number, rounds: number): StepSize {
    const { heap, learns } = this;
    heap.write('target', new Float32Array(shapeSize(heap.rows[0]?.y_shape ?? [0, 0, 0, 0])));
    heap.write('result', new Float32Array(3));
    for (const name of [learns, ...(this.#learnsBias ? (['b'] as const) : [])]) {
      heap.write(
        name,
        Float32Array.from({ length: heap.length(name) }, (_, i) => 1 + ((7 * i) % 5)),
      );
    }
    let before = Number.NaN;
    for (let round = 0; round < rounds; round += 1) {
      this.gradients();
      if (heap.module._conv2d_power_iteration_step(heap.session.handle, learns === 'x' ? 1 : 0, rate) !== 0) {
        throw new Error(`${learns} and its gradient are not of one length`);
      }
      const [curvature = 0] = heap.copy('result');
      if (curvature === before) break;
      before = curvature;
    }
    const [curvature = 0, largest_rate = 0, factor = 1] = heap.copy('result');
    heap.release('result');
    return { curvature, largest_rate, factor };
  }
}

/** Maximum multiply-adds, and steps, of a power iteration. */
const MOST_WORK = 2e9;
const MOST_ROUNDS = 1000;
const LEAST_ROUNDS = 20;

function roundsFor({ geometry: g, shapes }: Problem): number {
  const work = 2 * shapeSize(shapes.y) * g.kh * g.kw * g.group_c;
  return Math.max(LEAST_ROUNDS, Math.min(MOST_ROUNDS, Math.floor(MOST_WORK / Math.max(1, work))));
}

/** Gradient descent from the values of a problem. Goes forwards and backwards to any step. */
export class Descent implements AnyDescent, Moved {
  readonly #problem: Problem;
  readonly #settings: LearnSettings;
  readonly #all: Learner;
  /** For mini-batches; null if a step uses all images. */
  readonly #batch: Learner | null;
  readonly #parameters: readonly ('x' | 'w' | 'b')[];
  readonly #stepSize: StepSize;
  readonly #history: History;
  /** x and target of all images, for batches. */
  readonly #x: Float32Array;
  readonly #target: Float32Array;

  constructor({ heap, problem }: QuestionContext, settings: LearnSettings) {
    const { module } = heap;
    const { geometry: g } = problem;
    const { learns, rate, batch, watch } = settings;
    this.#problem = problem;
    this.#settings = settings;
    this.#all = new Learner(module, problem, learns);
    this.#batch = learns === 'w' && batch < g.n ? new Learner(module, problem, learns, batch) : null;
    this.#batch?.heap.setLoss('mse');
    this.#parameters = learns === 'x' ? ['x'] : heap.length('b') > 0 ? ['w', 'b'] : ['w'];
    try {
      const all = this.#all.heap;
      for (const name of ['x', 'w', 'b'] as const) all.take(name, heap);
      this.#target = this.#targetFrom(heap);
      this.#x = all.copy('x');
      if (this.#findsX) {
        // w is the teacher's and fixed.
        all.write('w', settings.teacher ?? all.copy('w'));
        all.release('b');
      }
      if (settings.fromZero) for (const name of this.#parameters) all.write(name, new Float32Array(all.length(name)));
      const start = this.state();
      const bias = all.copy('b');
      if (learns === 'x') all.release('b');
      this.#stepSize = this.#all.powerIteration(rate, roundsFor(problem));
      all.write('b', bias);
      all.write('target', this.#target);
      this.put(start);
      this.#history = new History(this, watch);
    } catch (thrown) {
      this.dispose();
      throw thrown;
    }
  }

  dispose(): void {
    this.#all.heap.close();
    this.#batch?.heap.close();
  }

  at(steps: number): Learned {
    const reached = this.#history.to(steps);
    const all = this.#all.heap;
    const { shapes } = this.#problem;
    const read = (name: TensorName) => [name, all.read(name, shapes[name])] as const;
    const fixed = this.#findsX ? (['w'] as const) : [];
    const names = [...this.#parameters.flatMap((name) => [name, `d${name}`] as const), ...fixed, 'y', 'dy'] as const;
    return {
      ...reached,
      tensors: Object.fromEntries(names.map(read)),
      target: all.read('target', shapes.y),
      step_size: this.#stepSize,
    };
  }

  /** The teacher's y, or the existing target, plus noise. From then on dy is the gradient of the loss. */
  #targetFrom(source: SessionHeap): Float32Array {
    const { teacher, noise } = this.#settings;
    const { heap } = this.#all;
    if (teacher) {
      heap.write('w', teacher);
      heap.release('b');
      heap.runPlanned('forward');
    }
    const cells = shapeSize(this.#problem.shapes.y);
    const own = source.copy('target');
    heap.write('target', teacher ? heap.copy('y') : own.length === cells ? own : new Float32Array(cells));
    if (teacher) for (const name of ['w', 'b'] as const) heap.take(name, source);
    if (noise > 0) {
      const { module, session } = heap;
      heap.must(session.random_dy(NOISE_SEED));
      const [target, dy] = [heap.slot('target').value, heap.slot('dy').value];
      if (module._conv2d_subtract(session.handle, 0, target, dy, -noise / NOISE_RANGE) !== 0) {
        throw new Error('target and dy differ in length');
      }
    }
    heap.setLoss('mse');
    return heap.copy('target');
  }

  gradients(): number {
    return this.#all.gradients();
  }

  move(steps: number): void {
    if (!this.#batch) {
      this.#all.sgdStep(this.#settings.rate);
      return;
    }
    // The batch moves its own copies of the parameters.
    this.#gradientsOfBatch(this.#batch, steps);
    this.#batch.sgdStep(this.#settings.rate);
    for (const name of this.#parameters) this.#all.heap.take(name, this.#batch.heap);
  }

  watched(): Float32Array {
    return this.#all.heap.copy(this.#settings.learns);
  }

  norms(): readonly number[] {
    return [];
  }

  /** Computes the gradients of the next mini-batch at the current values. */
  #gradientsOfBatch(learner: Learner, steps: number): void {
    const { n } = this.#problem.geometry;
    const { batch } = this.#settings;
    const images = Array.from({ length: batch }, (_, i) => (steps * batch + i) % n);
    const chosen = (values: Float32Array): Float32Array => {
      const size = values.length / n;
      const part = new Float32Array(size * batch);
      images.forEach((image, i) => {
        part.set(values.subarray(image * size, (image + 1) * size), i * size);
      });
      return part;
    };
    learner.heap.write('x', chosen(this.#x));
    learner.heap.write('target', chosen(this.#target));
    for (const name of this.#parameters) learner.heap.take(name, this.#all.heap);
    learner.gradients();
  }

  state(): State {
    return new Map(this.#parameters.map((name) => [name, this.#all.heap.copy(name)]));
  }

  put(state: State): void {
    for (const name of this.#parameters) this.#all.heap.write(name, state.get(name) ?? this.#all.heap.copy(name));
  }

  get #findsX(): boolean {
    return this.#settings.learns === 'x' && this.#settings.teacher !== null;
  }
}

/** random_dy has values from -4 to 4. */
const NOISE_RANGE = 4;
const NOISE_SEED = 1;
