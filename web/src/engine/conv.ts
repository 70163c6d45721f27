import type { Pass, Shape } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import type { MainModule } from '../wasm/load';
import { checkAsked, checkValues, describe, type Geometry, type Values } from './describe';
import { embindDesc } from './embind-desc';
import { ConvFailure } from './failure';
import { SessionHeap, type Slot } from './session-heap';
import { checkFloats, checkLength, checkList, checkText } from './validate';

export interface Forward extends Geometry {
  readonly x: Values;
  readonly w: Values;
  /** One value for each filter; left out: none. */
  readonly b?: Float32Array;
  /** The name of an algorithm of the library; left out: the fastest for this problem, as far as it knows. */
  readonly algorithm?: string;
}

export type Gradient = 'dx' | 'dw' | 'db';

export interface Backward<Wanted extends Gradient = Gradient> extends Geometry {
  readonly x: Values;
  readonly w: Values;
  /** The gradient that comes from above, of y's shape. */
  readonly dy: Values;
  /** Which gradients are computed; left out: all three. */
  readonly of?: readonly Wanted[];
}

interface Shapes {
  readonly x_shape: Shape;
  readonly w_shape: Shape;
  readonly y_shape: Shape;
}

const PASS_OF = { dx: 'backward_data', dw: 'backward_weights', db: 'backward_bias' } as const satisfies Record<
  Gradient,
  Pass
>;
const GRADIENTS = Object.keys(PASS_OF) as readonly Gradient[];

const quiet = (): void => undefined;
const written = (shape: readonly unknown[]): string => shape.join(' x ');

/**
 * The library's convolution (cross-correlation, as in every deep-learning framework) and its gradients. Synchronous; runs
 * where it was made. Throws ConvFailure. What it returns are copies, and what it is given is never changed.
 */
export class Conv {
  readonly #module: MainModule;
  #heap: SessionHeap | null;

  constructor(module: MainModule) {
    this.#module = module;
    this.#heap = new SessionHeap(module);
  }

  /** y = conv(x, w) + b. */
  forward(asked: Forward): Values {
    checkAsked(asked, ['x', 'w'], ['b', 'algorithm']);
    const heap = this.#open();
    const { y_shape } = this.#set(heap, asked);
    const { b, algorithm = '' } = asked;
    if (b) {
      checkLength(checkFloats(b, 'b').length, asked.layout === 'nchw' ? y_shape[1] : y_shape[3], 'b');
      heap.write('b', b);
    } else heap.release('b');
    heap.write('x', asked.x.data);
    heap.write('w', asked.w.data);
    return this.#run(heap, 'forward', checkText(algorithm, 'algorithm'), 'y', y_shape);
  }

  /** The gradients of sum(y * dy), summed over the batch. */
  backward<Wanted extends Gradient = Gradient>(asked: Backward<Wanted>): Record<Wanted, Values> {
    checkAsked(asked, ['x', 'w', 'dy'], ['of']);
    const heap = this.#open();
    const shapes = this.#set(heap, asked);
    checkSame(asked.dy, shapes.y_shape, 'dy', 'x and w give');
    const wanted = new Set(checkList(asked.of ?? GRADIENTS, 'of'));
    for (const name of wanted) {
      if (!GRADIENTS.includes(name as Gradient))
        throw new ConvFailure('invalid_argument', 'of', `of is not of ${GRADIENTS}`);
    }
    for (const name of ['x', 'w', 'dy'] as const) heap.write(name, asked[name].data);
    const { x_shape, w_shape, y_shape } = shapes;
    const filters = asked.layout === 'nchw' ? y_shape[1] : y_shape[3];
    const shapeOf = { dx: x_shape, dw: w_shape, db: [1, 1, 1, filters] } as const;
    const made = GRADIENTS.filter((name) => wanted.has(name)).map(
      (name) => [name, this.#run(heap, PASS_OF[name], '', name, shapeOf[name])] as const,
    );
    return Object.fromEntries(made) as Record<Wanted, Values>;
  }

  /** Frees the memory. Whoever computes with it afterwards is told so. */
  dispose(): void {
    this.#heap?.session.close_session();
    this.#heap = null;
  }

  #open(): SessionHeap {
    if (this.#heap) return this.#heap;
    throw new ConvFailure('invalid_argument', '', 'this engine was disposed of');
  }

  #set(heap: SessionHeap, asked: Geometry & Pick<Forward, 'x' | 'w'>): Shapes {
    const desc = describe(checkValues(asked.x, 'x'), checkValues(asked.w, 'w'), asked);
    const resolved = heap.session.set_problem(embindDesc(this.#module, desc));
    heap.must(resolved.status);
    checkSame(asked.w, resolved.w_shape, 'w', 'x and the groups need');
    return resolved;
  }

  #run(heap: SessionHeap, pass: Pass, algorithm: string, slot: Slot, shape: Shape): Values {
    heap.run(pass, algorithm, quiet);
    const data = heap.copy(slot);
    checkLength(data.length, shapeSize(shape), slot);
    return { shape: [...shape], data };
  }
}

function checkSame(values: Values, expected: Shape, name: 'w' | 'dy', who: string): void {
  const shape = checkValues(values, name);
  if (shape.every((size, axis) => size === expected[axis])) return;
  const code = name === 'w' ? 'channel_mismatch' : 'input_size_mismatch';
  throw new ConvFailure(code, name, `${name} is ${written(shape)}, but ${who} ${written(expected)}`);
}
