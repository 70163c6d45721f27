import type { Gradient, Gradients, Layer, LayerBackward, LayerForward, Result, Values } from './api';
import { checkCall, checkResult } from './check-call';
import { ConvFailure, guarded } from './failure';
import type { ProblemSession } from './problem-session';

/** Adds Symbol.dispose, for `using`, if the JavaScript engine has it. */
export function disposable<T extends { dispose(): void }>(object: T): T & Disposable {
  if (Symbol.dispose) Object.defineProperty(object, Symbol.dispose, { value: () => object.dispose() });
  return object as T & Disposable;
}

export class ModuleLayer implements Omit<Layer, keyof Disposable> {
  /** Null after dispose(). */
  #session: ProblemSession | null;
  readonly #onDispose: (layer: ModuleLayer) => void;

  /** `onDispose` is called when the layer is disposed. */
  constructor(session: ProblemSession, onDispose: (layer: ModuleLayer) => void) {
    this.#session = session;
    this.#onDispose = onDispose;
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
    this.#onDispose(this);
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
