import { embindDesc } from '../../engine/embind-desc';
import { must } from '../../engine/session-heap';
import type { ConvDesc, Pass } from '../../protocol/problem';
import type { RaceModule } from '../../wasm/load-race';
import type { Contender, RaceInputs } from './contender';

/**
 * Who agrees with the reference less well than this is not timed: Winograd F(4x4, 3x3) passes, a wrong tap does not. The
 * benchmark has the same limit.
 */
export const TOLERANCE = 1e-4;

export interface Judged {
  readonly error: number;
  /** Without subnormal numbers, which would make a race of who stumbles over them least. */
  readonly plain: boolean;
}

interface Sizes {
  readonly macs: number;
  readonly x_floats: number;
  readonly w_floats: number;
  readonly y_floats: number;
  readonly x_col_floats: number;
}

/** Makes the numbers, knows the right results, and has the loops that the library is raced against. */
export class Referee {
  readonly #module: RaceModule;
  readonly #session: number;

  constructor(module: RaceModule) {
    this.#module = module;
    this.#session = module.open_session();
  }

  take(desc: ConvDesc): Sizes {
    const { status, ...sizes } = this.#module.set_problem(this.#session, embindDesc(this.#module, desc));
    must(this.#module, status);
    return sizes;
  }

  /** Copies of what all compute with. */
  inputs(): RaceInputs {
    const copy = (name: 'x' | 'w' | 'b' | 'dy') => this.#view(name).slice();
    return { x: copy('x'), w: copy('w'), b: copy('b'), dy: copy('dy') };
  }

  /** Computes what is right. */
  expect(pass: Pass): void {
    must(this.#module, this.#module.expect(this.#session, this.#module.Pass[pass]));
  }

  judge(result: Float32Array): Judged {
    must(this.#module, this.#module.reserve_made(this.#session, result.length));
    this.#view('made').set(result);
    const { status, error, plain } = this.#module.judge(this.#session);
    must(this.#module, status);
    return { error, plain };
  }

  /** Loops as one writes them down. */
  loops(): readonly Contender[] {
    return [this.#loop('formula', ''), this.#loop('filters_last', 'only where filters lie side by side, in NHWC')];
  }

  /** Walks through three arrays of `floats` each; the bytes that moved. */
  stream(floats: number): { readonly run: () => void; readonly bytes: number } {
    must(this.#module, this.#module.reserve_stream(this.#session, floats));
    return { run: () => this.#module._race_stream(this.#session), bytes: 3 * 4 * floats };
  }

  freeStream(): void {
    must(this.#module, this.#module.reserve_stream(this.#session, 0));
  }

  #loop(order: 'formula' | 'filters_last', why: string): Contender {
    const { Pass: passes, Order } = this.#module;
    return {
      id: `loops:${order}`,
      build: 'loops',
      whyNot: (desc, pass) => {
        if (order !== 'formula' && pass === 'backward_bias') return 'a sum of dy has one order';
        return this.#module.supports(embindDesc(this.#module, desc), Order[order]) ? '' : why;
      },
      prepare: ({ pass }) => ({
        algorithm: order,
        threads: 1,
        scratch_bytes: 0,
        packed_bytes: 0,
        run: () => this.#module._race_loops(this.#session, passes[pass].value, Order[order].value),
        runUnprepared: null,
        result: () => this.#view('made').slice(),
        dispose: () => undefined,
      }),
    };
  }

  #view(name: keyof RaceModule['RaceSlot']): Float32Array {
    return this.#module.view(this.#session, this.#module.RaceSlot[name]);
  }
}
