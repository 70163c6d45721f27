import { embindDesc } from '../engine/embind-desc';
import { SessionHeap, type Slot } from '../engine/session-heap';
import type { Pass, Shape, Tensor, TensorName } from '../protocol/problem';
import type { LearnAsk, Learnt, Pace } from '../protocol/questions';
import { shapeSize } from '../protocol/shapes';
import type { MainModule } from '../wasm/module';
import { type Asked, biasShape, type Problem } from './answerer';
import { History } from './history';

/** What a descent starts from and how it goes; all but the number of steps. */
export type Settings = Omit<LearnAsk, 'steps'>;

const PASSES: readonly Pass[] = ['forward', 'backward_data', 'backward_weights', 'backward_bias'];
const go_on = (): boolean => true;

/** One session that runs the passes of gradient descent. Every number is the library's; here they are only carried. */
class Learner {
  readonly heap: SessionHeap;

  constructor(
    readonly module: MainModule,
    {
      geometry: { layout, n, h, w, c, k, kh, kw, stride_h, stride_w, dilation_h, dilation_w, groups, padding },
    }: Problem,
    readonly learns: LearnAsk['learns'],
    images = n,
  ) {
    this.heap = new SessionHeap(module);
    const sizes = { layout, n: images, h, w, c, k, kh, kw, stride_h, stride_w, dilation_h, dilation_w, groups };
    const desc = { ...sizes, padding_mode: 'explicit_sides', padding } as const;
    this.heap.must(this.heap.session.set_problem(embindDesc(module, desc)).status);
    for (const pass of PASSES) this.heap.must(this.heap.session.plan(module.Pass[pass], '').status);
  }

  run(pass: Pass): void {
    const { session } = this.heap;
    const member = this.module.Pass[pass];
    if (this.module._conv2d_run(session.handle, member.value) !== 0) this.heap.must(session.run(member, go_on));
  }

  get #learnsBias(): boolean {
    return this.learns === 'w' && this.heap.length('b') > 0;
  }

  /** y, dy and the gradients at the present values; the loss there. */
  gradients(): number {
    this.run('forward');
    const { status, value } = this.heap.session.loss_dy(this.module.Loss.mse);
    this.heap.must(status);
    this.run(this.learns === 'x' ? 'backward_data' : 'backward_weights');
    if (this.#learnsBias) this.run('backward_bias');
    return value;
  }

  /** One step down the gradients that there are. */
  descend(rate: number): void {
    this.move(this.learns, `d${this.learns}`, rate);
    if (this.#learnsBias) this.move('b', 'db', rate);
  }

  /** values -= rate * slopes */
  move(values: Slot, slopes: Slot, rate: number): void {
    const [to, from] = [this.heap.slot(values).value, this.heap.slot(slopes).value];
    if (this.module._conv2d_descend(this.heap.session.handle, to, from, rate) !== 0) {
      throw new Error(`${values} and ${slopes} are not of one length`);
    }
  }

  /** By power iteration, from numbers that hardly lie across the steepest direction. Overwrites what is learnt. */
  pace(rate: number, rounds: number): Pace {
    const { heap, module, learns } = this;
    heap.write('target', new Float32Array(heap.length('y')));
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
      if (module._conv2d_power_round(heap.session.handle, learns === 'x' ? 1 : 0, rate) !== 0) {
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

/** Multiply-adds of a power iteration, and its rounds. */
const MOST_WORK = 2e9;
const MOST_ROUNDS = 1000;
const LEAST_ROUNDS = 20;

function roundsFor({ geometry: g, y_shape }: Problem): number {
  const work = 2 * shapeSize(y_shape) * g.kh * g.kw * g.group_c;
  return Math.max(LEAST_ROUNDS, Math.min(MOST_ROUNDS, Math.floor(MOST_WORK / Math.max(1, work))));
}

/** The values that are learnt, at some step. */
type State = ReadonlyMap<Slot, Float32Array>;

/** Gradient descent from a problem's numbers, as far as somebody asked, and back. */
export class Descent {
  readonly #problem: Problem;
  readonly #settings: Settings;
  readonly #all: Learner;
  /** A batch of the images, where a step does not look at all of them. */
  readonly #some: Learner | null;
  readonly #learnt: readonly ('x' | 'w' | 'b')[];
  readonly #pace: Pace;
  readonly #history: History;
  /** Of all images, for batches. */
  readonly #x: Float32Array;
  readonly #target: Float32Array;
  #steps = 0;
  #loss: number;
  /** The last step with finite numbers; infinite while none was met that has others. */
  #last = Number.POSITIVE_INFINITY;

  constructor({ module, heap, problem }: Asked, settings: Settings) {
    const { geometry: g } = problem;
    const { learns, rate, batch, watch } = settings;
    this.#problem = problem;
    this.#settings = settings;
    this.#all = new Learner(module, problem, learns);
    this.#some = learns === 'w' && batch < g.n ? new Learner(module, problem, learns, batch) : null;
    this.#learnt = learns === 'x' ? ['x'] : heap.length('b') > 0 ? ['w', 'b'] : ['w'];
    try {
      const all = this.#all.heap;
      for (const name of ['x', 'w', 'b'] as const) all.take(name, heap);
      this.#target = this.#targetFrom(heap);
      this.#x = all.copy('x');
      const start = this.#state();
      const bias = all.copy('b');
      if (learns === 'x') all.release('b');
      this.#pace = this.#all.pace(rate, roundsFor(problem));
      all.write('b', bias);
      all.write('target', this.#target);
      this.#history = new History(start, watch);
      this.#put(start);
      this.#loss = this.#all.gradients();
      this.#note();
    } catch (thrown) {
      this.dispose();
      throw thrown;
    }
  }

  dispose(): void {
    this.#all.heap.session.close_session();
    this.#some?.heap.session.close_session();
  }

  /** The state after `steps` steps, or after the last that has finite numbers. */
  at(steps: number): Learnt {
    if (steps < this.#steps) this.#goBack(steps);
    while (this.#steps < Math.min(steps, this.#last)) this.#advance();
    const all = this.#all.heap;
    const { y_shape, x_shape, w_shape } = this.#problem;
    const shapes: Readonly<Record<'x' | 'w' | 'b' | 'y', Shape>> = {
      x: x_shape,
      w: w_shape,
      b: biasShape(this.#problem),
      y: y_shape,
    };
    const read = (name: TensorName): [TensorName, Tensor] => [
      name,
      all.read(name, shapes[name.replace('d', '') as keyof typeof shapes]),
    ];
    const names = [...this.#learnt.flatMap((name) => [name, `d${name}`] as const), 'y', 'dy'] as const;
    return {
      steps: this.#steps,
      tensors: Object.fromEntries(names.map(read)),
      target: all.read('target', y_shape),
      loss: this.#loss,
      history: this.#history.until(this.#steps, this.#loss, this.#state()),
      pace: this.#pace,
    };
  }

  /** What the teacher makes of x, or the target that there is; with noise. */
  #targetFrom(asked: SessionHeap): Float32Array {
    const { teacher, noise } = this.#settings;
    const { heap } = this.#all;
    if (teacher) {
      heap.write('w', teacher);
      heap.release('b');
      this.#all.run('forward');
      for (const name of ['w', 'b'] as const) heap.take(name, asked);
    }
    const cells = heap.length('y');
    const own = asked.copy('target');
    heap.write('target', teacher ? heap.copy('y') : own.length === cells ? own : new Float32Array(cells));
    if (noise > 0) {
      heap.must(heap.session.random_dy(NOISE_SEED));
      this.#all.move('target', 'dy', -noise / NOISE_REACH);
    }
    return heap.copy('target');
  }

  #advance(): void {
    const { rate } = this.#settings;
    const before = this.#state();
    if (this.#some) this.#gradientsOfBatch(this.#some);
    this.#all.descend(rate);
    const loss = this.#all.gradients();
    if (!Number.isFinite(loss)) {
      this.#last = this.#steps;
      this.#put(before);
      this.#all.gradients();
      return;
    }
    this.#loss = loss;
    this.#steps += 1;
    this.#note();
  }

  /** The gradients of the images whose turn it is, in place of those of all. */
  #gradientsOfBatch(some: Learner): void {
    const { n } = this.#problem.geometry;
    const { batch } = this.#settings;
    const images = Array.from({ length: batch }, (_, i) => (this.#steps * batch + i) % n);
    const chosen = (values: Float32Array): Float32Array => {
      const size = values.length / n;
      const part = new Float32Array(size * batch);
      images.forEach((image, i) => {
        part.set(values.subarray(image * size, (image + 1) * size), i * size);
      });
      return part;
    };
    some.heap.write('x', chosen(this.#x));
    some.heap.write('target', chosen(this.#target));
    for (const name of this.#learnt) some.heap.take(name, this.#all.heap);
    some.gradients();
    for (const name of this.#learnt) this.#all.heap.take(`d${name}`, some.heap);
  }

  #goBack(steps: number): void {
    const { step, state } = this.#history.nearest(steps);
    this.#put(state);
    this.#steps = step;
    this.#loss = this.#all.gradients();
  }

  #state(): State {
    return new Map(this.#learnt.map((name) => [name, this.#all.heap.copy(name)]));
  }

  #put(state: State): void {
    for (const [name, values] of state) this.#all.heap.write(name, values);
  }

  #note(): void {
    this.#history.note(this.#steps, this.#loss, () => this.#state());
  }
}

/** random_dy's numbers reach from -4 to 4. */
const NOISE_REACH = 4;
const NOISE_SEED = 1;
