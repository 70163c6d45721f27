import { SessionHeap } from '../src/engine/session-heap';
import { ConvFailure, refuse } from '../src/engine/validate';
import { PASS_OF, type Shape } from '../src/protocol/problem';
import type { AlgorithmInfo } from '../src/protocol/questions';
import type { MainModule } from '../src/wasm/module';
import type { Geometry, Gradient, Gradients, LayerBackward, LayerForward, Result, Shaped, Values } from './api';
import {
  checkApart,
  checkData,
  checkGradients,
  checkRecord,
  checkSame,
  checkShape,
  checkValues,
  describe,
  renamedFailure,
} from './check-call';
import { kindOf } from './check-types';

export interface Problem extends Geometry {
  readonly x: Shaped;
  readonly w: Shaped;
}

type Shapes = { readonly [Name in 'x' | 'w' | 'dy']: Shape };

/** Algorithms by name, and the field that names the algorithm of a result. */
export interface RequestedAlgorithms {
  readonly algorithms: { readonly [Name in Result]?: unknown };
  readonly field: (of: Result) => string;
}

/** Arrays of the caller, by field. */
export type Arrays = Readonly<Record<string, Float32Array | undefined>>;

interface ComputeCall {
  readonly x?: Values | undefined;
  readonly dy?: Values | undefined;
  readonly out: { readonly [Name in Result]?: Float32Array | undefined };
  readonly field: (of: Result) => string;
  /** Further arrays that outputs must not overlap. */
  readonly others: Arrays;
}

/**
 * A session for one problem: its tensors and plans. The session packs the weights in the second run. Throws ConvFailure.
 */
export class ProblemSession {
  readonly shapes: Shapes;
  readonly #heap: SessionHeap;
  readonly #layout: Geometry['layout'];
  readonly #padding: Geometry['padding'];
  readonly #requested: RequestedAlgorithms;
  readonly #planned = new Map<Result, string>();

  constructor(module: MainModule, args: Problem, requested: RequestedAlgorithms) {
    const x = checkShape(args.x, 'x', args.layout);
    const w = checkShape(args.w, 'w', args.layout);
    const desc = describe(x, w, args);
    this.#layout = args.layout;
    this.#padding = args.padding;
    this.#requested = requested;
    this.#heap = new SessionHeap(module);
    try {
      const { x_shape, w_shape, y_shape } = this.#named(() => this.#heap.setProblem(desc));
      checkSame(w, w_shape, 'w', 'x and groups need');
      this.shapes = { x: x_shape, w: w_shape, dy: y_shape };
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  algorithms(of: Result): readonly AlgorithmInfo[] {
    return this.#heap.algorithms(PASS_OF[of]);
  }

  /** Copies the given weights and bias, after checking both. */
  write({ w, b }: { readonly w?: Values | undefined; readonly b?: Float32Array | undefined }): void {
    const weights = w === undefined ? undefined : this.#check('w', w);
    const bias = b === undefined ? undefined : checkData(b, 'b', this.#shapeOf('db'));
    if (weights) this.#heap.write('w', weights);
    if (bias) this.#heap.write('b', bias);
  }

  /** Returns the name of the algorithm. The first call chooses it. */
  plan(of: Result): string {
    const known = this.#planned.get(of);
    if (known !== undefined) return known;
    const { algorithms, field } = this.#requested;
    const name = algorithms[of];
    if (name !== undefined && typeof name !== 'string') {
      refuse(field(of), `${field(of)} is ${kindOf(name)}, but must be a name from algorithms()`);
    }
    const { algorithm } = this.#named(() => {
      this.#heap.setAlgorithm(PASS_OF[of], name ?? '');
      return this.#heap.plan(PASS_OF[of]);
    }, field(of));
    this.#planned.set(of, algorithm);
    return algorithm;
  }

  forward({ x, out }: LayerForward, others: Arrays = {}): Values {
    const results = this.#compute(['y'], { x, out: { y: out }, field: () => 'out', others });
    return results.y as Values;
  }

  backward<Wanted extends Gradient>(args: LayerBackward<Wanted>, others: Arrays = {}): Gradients<Wanted> {
    const { x, dy, of, out = {} } = args;
    const wanted = checkGradients(of);
    if (wanted.includes('dw') && x === undefined) {
      throw new ConvFailure('invalid_argument', 'x', 'x is missing; it is needed for dw');
    }
    checkRecord(out, 'out', wanted);
    return this.#compute(wanted, { x, dy, out, field: (name) => `out.${name}`, others }) as Gradients<Wanted>;
  }

  close(): void {
    this.#heap.close();
  }

  /** Checks all arguments before computing, and computes all results before writing the caller's arrays. */
  #compute(wanted: readonly Result[], { x, dy, out, field, others }: ComputeCall): Partial<Record<Result, unknown>> {
    const arrays: Record<string, Float32Array | undefined> = { ...others };
    if (x) arrays['x.data'] = this.#check('x', x);
    if (dy) arrays['dy.data'] = this.#check('dy', dy);
    for (const of of wanted) {
      const array = out[of];
      if (array === undefined) continue;
      checkApart(checkData(array, field(of), this.#shapeOf(of)), field(of), arrays);
      arrays[field(of)] = array;
    }
    if (x && wanted.some((of) => of === 'y' || of === 'dw')) this.#heap.write('x', x.data);
    if (dy) this.#heap.write('dy', dy.data);
    for (const of of wanted) {
      this.plan(of);
      this.#named(() => this.#heap.runPlanned(PASS_OF[of]));
    }
    // Allocation may fail, so it precedes the first write to the caller's arrays.
    const data = wanted.map((of) => out[of] ?? this.#heap.copy(of));
    for (const of of wanted) out[of]?.set(this.#heap.view(of));
    return Object.fromEntries(wanted.map((of, i) => [of, { shape: this.#shapeOf(of), data: data[i] }]));
  }

  #check(name: keyof Shapes, values: Values): Float32Array {
    const reason = name === 'dy' ? 'x and w give' : 'the layer has';
    return checkValues(values, name, this.shapes[name], this.#layout, reason);
  }

  #shapeOf(of: Result): readonly number[] {
    const { x, w, dy } = this.shapes;
    if (of === 'db') return [this.#layout === 'nchw' ? dy[1] : dy[3]];
    return [...{ y: dy, dx: x, dw: w }[of]];
  }

  /** Calls the library; `algorithm` is the field that names the algorithm. */
  #named<T>(act: () => T, algorithm = 'algorithm'): T {
    try {
      return act();
    } catch (thrown) {
      throw thrown instanceof ConvFailure ? renamedFailure(thrown, this.#padding, algorithm) : thrown;
    }
  }
}
