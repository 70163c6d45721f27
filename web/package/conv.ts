import { ConvFailure, toConvError } from '../src/engine/validate';
import type { AlgorithmInfo } from '../src/protocol/questions';
import type { MainModule } from '../src/wasm/module';
import type {
  AlgorithmsOf,
  Backward,
  Build,
  Conv,
  Forward,
  Gradient,
  Gradients,
  Layer,
  LayerBackward,
  LayerForward,
  Prepare,
  Result,
  Values,
} from './api';
import { checkCall, checkGradients, checkRecord, checkResult, GEOMETRY, RESULTS } from './check-call';
import { type Problem, ProblemSession, type RequestedAlgorithms } from './problem-session';

/** A loaded module, its build, and the function that ends its threads. */
export interface LoadedEngine {
  readonly module: MainModule;
  readonly build: Build;
  readonly threads: number;
  readonly stop: () => void;
}

interface OpenEngine extends LoadedEngine {
  readonly layers: Set<ModuleLayer>;
}

const byResult = (algorithms: RequestedAlgorithms['algorithms'] = {}): RequestedAlgorithms => ({
  algorithms: { ...algorithms },
  field: (of) => `algorithm.${of}`,
});

export class ModuleConv implements Omit<Conv, keyof Disposable> {
  readonly build: Build;
  readonly threads: number;
  /** Null after dispose(). */
  #open: OpenEngine | null;

  constructor(parts: LoadedEngine) {
    this.build = parts.build;
    this.threads = parts.threads;
    this.#open = { ...parts, layers: new Set() };
  }

  forward(args: Forward): Values {
    return this.#act((open) => {
      checkCall(args, 'conv.forward', ['x', 'w'], ['b', ...GEOMETRY, 'algorithm', 'out']);
      const requested = { algorithms: { y: args.algorithm }, field: () => 'algorithm' };
      return once(open, args, requested, (session) => {
        session.write(args);
        return session.forward(args, { 'w.data': args.w.data, b: args.b });
      });
    });
  }

  backward<Wanted extends Gradient = Gradient>(args: Backward<Wanted>): Gradients<Wanted> {
    return this.#act((open) => {
      checkCall(args, 'conv.backward', ['x', 'w', 'dy'], [...GEOMETRY, 'of', 'algorithm', 'out']);
      checkRecord(args.algorithm, 'algorithm', checkGradients(args.of));
      return once(open, args, byResult(args.algorithm), (session) => {
        session.write({ w: args.w });
        return session.backward(args, { 'w.data': args.w.data });
      });
    });
  }

  prepare(args: Prepare): Layer {
    return this.#act(({ module, layers }) => {
      checkCall(args, 'conv.prepare', ['x', 'w'], ['b', ...GEOMETRY, 'algorithm']);
      checkRecord(args.algorithm, 'algorithm', RESULTS);
      const session = new ProblemSession(module, args, byResult(args.algorithm));
      const layer = new ModuleLayer(session, (it) => layers.delete(it));
      layers.add(layer);
      try {
        session.write(args);
        // Reports invalid algorithm names here instead of in the first run.
        for (const of of RESULTS) if (args.algorithm?.[of] !== undefined) session.plan(of);
      } catch (thrown) {
        layer.dispose();
        throw thrown;
      }
      return disposable(layer);
    });
  }

  algorithms(args: AlgorithmsOf): readonly AlgorithmInfo[] {
    return this.#act((open) => {
      checkCall(args, 'conv.algorithms', ['x', 'w', 'of'], GEOMETRY);
      const of = checkResult(args.of);
      return once(open, args, byResult(), (session) => session.algorithms(of));
    });
  }

  dispose(): void {
    const open = this.#open;
    this.#open = null;
    for (const layer of open?.layers ?? []) layer.dispose();
    open?.stop();
  }

  #act<T>(act: (open: OpenEngine) => T): T {
    const open = this.#open;
    if (!open) throw new ConvFailure('disposed', '', 'this engine was disposed; create another one with createConv()');
    return guarded(() => act(open));
  }
}

/** Calls `act` and converts everything that it throws to a ConvFailure. */
function guarded<T>(act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof ConvFailure) throw thrown;
    const { code, field, message } = toConvError(thrown);
    throw Object.assign(new ConvFailure(code, field, message), { cause: thrown });
  }
}

function once<T>(
  { module }: OpenEngine,
  problem: Problem,
  requested: RequestedAlgorithms,
  act: (session: ProblemSession) => T,
): T {
  const session = new ProblemSession(module, problem, requested);
  try {
    return act(session);
  } finally {
    session.close();
  }
}

/** Adds Symbol.dispose, for `using`, if the JavaScript engine has it. */
export function disposable<T extends { dispose(): void }>(object: T): T & Disposable {
  if (Symbol.dispose) Object.defineProperty(object, Symbol.dispose, { value: () => object.dispose() });
  return object as T & Disposable;
}

export class ModuleLayer implements Omit<Layer, keyof Disposable> {
  /** Null after dispose(). */
  #session: ProblemSession | null;

  constructor(
    session: ProblemSession,
    private readonly onDispose: (layer: ModuleLayer) => void,
  ) {
    this.#session = session;
  }

  forward(args: LayerForward): Values {
    return this.#act((session) => {
      checkCall(args, 'layer.forward', ['x'], ['out']);
      return session.forward(args);
    });
  }

  backward<Wanted extends Gradient = Gradient>(args: LayerBackward<Wanted>): Gradients<Wanted> {
    return this.#act((session) => {
      checkCall(args, 'layer.backward', ['dy'], ['x', 'of', 'out']);
      return session.backward(args);
    });
  }

  update(args: { readonly w?: Values; readonly b?: Float32Array }): void {
    this.#act((session) => {
      checkCall(args, 'layer.update', [], ['w', 'b']);
      session.write(args);
    });
  }

  algorithm(of: Result): string {
    return this.#act((session) => session.plan(checkResult(of)));
  }

  dispose(): void {
    const session = this.#session;
    this.#session = null;
    session?.close();
    this.onDispose(this);
  }

  #act<T>(act: (session: ProblemSession) => T): T {
    const session = this.#session;
    if (!session) {
      const message = 'this layer or its engine was disposed; prepare another layer';
      throw new ConvFailure('disposed', '', message);
    }
    return guarded(() => act(session));
  }
}
