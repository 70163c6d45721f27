import { embindDesc } from '../../engine/embind-desc';
import { must } from '../../engine/session-heap';
import type { ConvDesc, Pass } from '../../protocol/problem';
import type { RaceModule } from '../../wasm/load-race';
import type { Entrant, RaceInputs } from './library';

/**
 * Maximum relative error of an entrant that is timed. Winograd F(4x4, 3x3) passes, a wrong tap does not. The benchmark uses the
 * same limit.
 */
export const TOLERANCE = 1e-4;

/** Generates inputs, checks results against the reference, and has the plain loops as entrants. */
export class Verifier {
  readonly #module: RaceModule;
  readonly #session: number;

  constructor(module: RaceModule) {
    this.#module = module;
    this.#session = module.open_session();
  }

  /** Returns the multiply-adds and the sizes of the tensors. */
  setProblem(desc: ConvDesc) {
    const { status, ...sizes } = this.#module.set_problem(this.#session, embindDesc(this.#module, desc));
    must(this.#module, status);
    return sizes;
  }

  /** Copies of the inputs. */
  inputs(): RaceInputs {
    const copy = (name: 'x' | 'w' | 'b' | 'dy') => this.#view(name).slice();
    return { x: copy('x'), w: copy('w'), b: copy('b'), dy: copy('dy') };
  }

  /** Computes the expected result. */
  computeExpected(pass: Pass): void {
    must(this.#module, this.#module.compute_expected(this.#session, this.#module.Pass[pass]));
  }

  /** The relative error of a result. */
  verify(result: Float32Array): number {
    must(this.#module, this.#module.reserve_actual(this.#session, result.length));
    this.#view('actual').set(result);
    const { status, error } = this.#module.verify(this.#session);
    must(this.#module, status);
    return error;
  }

  /** Plain nested loops. */
  loops(): readonly Entrant[] {
    return [this.#loop('formula', ''), this.#loop('filters_last', 'only for NHWC, where filters are contiguous')];
  }

  /** One pass over three arrays of `floats` each, and the bytes that it moves. */
  stream(floats: number): { readonly run: () => void; readonly bytes: number } {
    must(this.#module, this.#module.reserve_stream(this.#session, floats));
    return { run: () => this.#module._race_stream(this.#session), bytes: 3 * 4 * floats };
  }

  freeStream(): void {
    must(this.#module, this.#module.reserve_stream(this.#session, 0));
  }

  #loop(order: 'formula' | 'filters_last', why: string): Entrant {
    const { Pass: passes, Order } = this.#module;
    return {
      id: `loops:${order}`,
      build: 'loops',
      whyNot: (desc, pass) => {
        if (order !== 'formula' && pass === 'backward_bias') return 'db is a sum of dy: it has only one order';
        return this.#module.supports(embindDesc(this.#module, desc), Order[order]) ? '' : why;
      },
      prepare: ({ pass }) => ({
        algorithm: order,
        threads: 1,
        scratch_bytes: 0,
        run: () => this.#module._race_loops(this.#session, passes[pass].value, Order[order].value),
        result: () => this.#view('actual').slice(),
        dispose: () => undefined,
      }),
    };
  }

  #view(name: keyof RaceModule['RaceSlot']): Float32Array {
    return this.#module.view(this.#session, this.#module.RaceSlot[name]);
  }
}
