import type { Pass, Shape } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import type { MainModule } from '../wasm/module';
import type { Backward, Build, Conv, Forward, Geometry, Gradient, Values } from './api';
import { checkAsked, checkValues, describe } from './describe';
import { embindDesc } from './embind-desc';
import { ConvFailure, toConvError } from './failure';
import { SessionHeap, type Slot } from './session-heap';
import { checkFloats, checkLength, checkList, checkText } from './validate';

/** What computes: the module, in which build, and what ends its threads. */
export interface Parts {
  readonly module: MainModule;
  readonly build: Build;
  readonly threads: number;
  readonly stop: () => void;
}

interface Open extends Parts {
  readonly heap: SessionHeap;
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

export class ModuleConv implements Conv {
  readonly build: Build;
  readonly threads: number;
  /** Null when it was disposed of. */
  #open: Open | null;

  constructor(parts: Parts) {
    this.build = parts.build;
    this.threads = parts.threads;
    this.#open = { ...parts, heap: new SessionHeap(parts.module) };
  }

  forward(asked: Forward): Values {
    return this.#compute((open) => {
      checkAsked(asked, ['x', 'w'], ['b', 'algorithm']);
      const { x, w, b, algorithm = '' } = asked;
      const { y_shape } = setProblem(open, asked);
      if (b) {
        checkLength(checkFloats(b, 'b').length, asked.layout === 'nchw' ? y_shape[1] : y_shape[3], 'b');
        open.heap.write('b', b);
      } else open.heap.release('b');
      open.heap.write('x', x.data);
      open.heap.write('w', w.data);
      return run(open.heap, 'forward', checkText(algorithm, 'algorithm'), 'y', y_shape);
    });
  }

  backward<Wanted extends Gradient = Gradient>(asked: Backward<Wanted>): Record<Wanted, Values> {
    return this.#compute((open) => {
      checkAsked(asked, ['x', 'w', 'dy'], ['of']);
      const wanted = checkList(asked.of ?? GRADIENTS, 'of');
      const unknown = wanted.find((name) => !GRADIENTS.includes(name as Gradient));
      if (unknown !== undefined) {
        throw new ConvFailure('invalid_argument', 'of', `of has ${String(unknown)}, which is none of ${GRADIENTS}`);
      }
      const { x_shape, w_shape, y_shape } = setProblem(open, asked);
      checkSame(asked.dy, y_shape, 'dy', 'x and w give');
      for (const name of ['x', 'w', 'dy'] as const) open.heap.write(name, asked[name].data);
      const filters = asked.layout === 'nchw' ? y_shape[1] : y_shape[3];
      const shapeOf = { dx: x_shape, dw: w_shape, db: [1, 1, 1, filters] } as const;
      const made = GRADIENTS.filter((name) => wanted.includes(name)).map(
        (name) => [name, run(open.heap, PASS_OF[name], '', name, shapeOf[name])] as const,
      );
      return Object.fromEntries(made) as Record<Wanted, Values>;
    });
  }

  dispose(): void {
    const open = this.#open;
    this.#open = null;
    open?.heap.session.close_session();
    open?.stop();
  }

  /** Whatever goes wrong leaves as a ConvFailure. */
  #compute<T>(act: (open: Open) => T): T {
    if (!this.#open) throw new ConvFailure('invalid_argument', '', 'this engine was disposed of');
    try {
      return act(this.#open);
    } catch (thrown) {
      if (thrown instanceof ConvFailure) throw thrown;
      const { code, field, message } = toConvError(thrown);
      throw Object.assign(new ConvFailure(code, field, message), { cause: thrown });
    }
  }
}

function setProblem({ module, heap }: Open, asked: Geometry & Pick<Forward, 'x' | 'w'>): Shapes {
  const desc = describe(checkValues(asked.x, 'x'), checkValues(asked.w, 'w'), asked);
  const resolved = heap.session.set_problem(embindDesc(module, desc));
  heap.must(resolved.status);
  checkSame(asked.w, resolved.w_shape, 'w', 'x and the groups need');
  return resolved;
}

function run(heap: SessionHeap, pass: Pass, algorithm: string, slot: Slot, shape: Shape): Values {
  heap.run(pass, algorithm, quiet);
  const data = heap.copy(slot);
  checkLength(data.length, shapeSize(shape), slot);
  return { shape: [...shape], data };
}

function checkSame(values: Values, expected: Shape, name: 'w' | 'dy', who: string): void {
  const shape = checkValues(values, name);
  if (shape.every((size, axis) => size === expected[axis])) return;
  const code = name === 'w' ? 'channel_mismatch' : 'input_size_mismatch';
  throw new ConvFailure(code, name, `${name} is ${written(shape)}, but ${who} ${written(expected)}`);
}
