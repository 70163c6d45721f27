import { must } from '../../engine/session-heap';
import { embindDesc } from '../../engine/validate';
import type { ConvDesc, Pass } from '../../protocol/problem';
import type { RaceModule } from '../../wasm/module';
import type { Entrant, RaceInputs } from './library';

/**
 * Maximum relative error of an entrant that is timed. Winograd F(4x4, 3x3) passes, a wrong tap does not. The benchmark uses the
 * same limit.
 */
export const TOLERANCE = 1e-4;

export type Verifier = Awaited<ReturnType<typeof createVerifier>>;

/** Generates inputs, checks results against the reference, and has the plain loops as entrants. One module for all browsers. */
export async function createVerifier() {
  const module: RaceModule = await (await import('../../wasm/generated/race.mjs')).default();
  const session = module.open_session();
  const view = (name: keyof RaceModule['RaceSlot']): Float32Array => module.view(session, module.RaceSlot[name]);

  const loop = (order: 'formula' | 'filters_last', why: string): Entrant => ({
    id: `loops:${order}`,
    build: 'loops',
    whyNot: (desc, pass) => {
      if (order !== 'formula' && pass === 'backward_bias') return 'db is a sum of dy: it has only one order';
      return module.supports(embindDesc(module, desc), module.Order[order]) ? '' : why;
    },
    prepare: ({ pass }) => ({
      algorithm: order,
      threads: 1,
      scratch_bytes: 0,
      run: () => module._race_loops(session, module.Pass[pass].value, module.Order[order].value),
      result: () => view('actual').slice(),
      dispose: () => undefined,
    }),
  });

  return {
    /** Plain nested loops. */
    loops: [loop('formula', ''), loop('filters_last', 'only for NHWC, where filters are contiguous')],

    /** Returns the multiply-adds and the sizes of the tensors. */
    setProblem(desc: ConvDesc) {
      return must(module, module.set_problem(session, embindDesc(module, desc)));
    },

    inputs(): RaceInputs {
      const [x, w, b, dy] = [view('x'), view('w'), view('b'), view('dy')];
      return { x: x.slice(), w: w.slice(), b: b.slice(), dy: dy.slice() };
    },

    computeExpected: (pass: Pass) => must(module, module.compute_expected(session, module.Pass[pass])),

    verify(result: Float32Array): number {
      must(module, module.reserve_actual(session, result.length));
      view('actual').set(result);
      return must(module, module.verify(session)).error;
    },

    /** One pass over three arrays of `floats` each, and the bytes that it moves. */
    stream(floats: number): { readonly run: () => void; readonly bytes: number } {
      must(module, module.reserve_stream(session, floats));
      return { run: () => module._race_stream(session), bytes: 3 * 4 * floats };
    },

    freeStream: () => must(module, module.reserve_stream(session, 0)),
  };
}
