import { must, openSession, type Session } from '../../engine/session-heap';
import { embindDesc } from '../../engine/validate';
import type { ConvDesc, Pass } from '../../protocol/problem';
import type { RaceBuild } from '../../protocol/race';
import { READ_BY, RESULT_OF } from '../../protocol/tensors';
import { type MainModule, textOf } from '../../wasm/module';
import type { Entrant, PreparedTask, Runner } from './entrant';

/** The algorithm with im2col (or col2im) and a matrix product. */
const IM2COL = { forward: 'im2col_gemm', backward_data: 'col2im', backward_weights: 'im2col_gemm', backward_bias: '' };

const proceed = () => true;

/** The entrants of one build of the library. */
export class Library {
  readonly #module: MainModule;
  readonly #build: RaceBuild;

  constructor(module: MainModule, build: RaceBuild) {
    this.#module = module;
    this.#build = build;
  }

  /** The algorithm that plan() chooses. */
  choice(): Entrant {
    return this.#entrant(
      '',
      () => '',
      () => '',
    );
  }

  im2col(): Entrant {
    return this.#entrant(
      'im2col',
      (pass) => IM2COL[pass],
      (_, pass) => (IM2COL[pass] === '' ? 'db is a sum of dy: it needs no im2col' : ''),
    );
  }

  /** All other algorithms, except the reference, which sums in double. */
  others(desc: ConvDesc, pass: Pass): readonly Entrant[] {
    return this.#rows(desc, pass)
      .filter(({ name }) => name !== 'reference' && name !== IM2COL[pass])
      .map(({ name, why }) =>
        this.#entrant(
          name,
          () => name,
          () => why,
        ),
      );
  }

  #rows(desc: ConvDesc, pass: Pass) {
    return this.#with(desc, (session) =>
      session.algorithms(this.#module.Pass[pass]).map(({ name, supported, reason }) => ({
        name: textOf(name),
        why: supported ? '' : textOf(reason),
      })),
    );
  }

  #entrant(id: string, nameOf: (pass: Pass) => string, whyNot: (desc: ConvDesc, pass: Pass) => string): Entrant {
    return {
      id: `${this.#build}:${id}`,
      build: this.#build,
      whyNot,
      prepare: (task) => this.#prepare(task, nameOf(task.pass)),
    };
  }

  #with<Value>(desc: ConvDesc, act: (session: Session) => Value): Value {
    const session = openSession(this.#module);
    try {
      must(this.#module, session.set_problem(embindDesc(this.#module, desc)).status);
      return act(session);
    } finally {
      session.close_session();
    }
  }

  #prepare({ desc, pass, inputs }: PreparedTask, name: string): Runner {
    const module = this.#module;
    const session = openSession(module);
    try {
      must(module, session.set_problem(embindDesc(module, desc)).status);
      for (const input of READ_BY[pass]) {
        must(module, session.reserve(module.Slot[input], inputs[input].length));
        session.view(module.Slot[input]).set(inputs[input]);
      }
      const planned = session.plan(module.Pass[pass], name);
      must(module, planned.status);
      const { value } = module.Pass[pass];
      const run = () => {
        // This export returns only a code; run again with a callback for the message.
        if (module._conv2d_run(session.handle, value) !== 0) must(module, session.run(module.Pass[pass], proceed));
      };
      return {
        algorithm: textOf(planned.algorithm),
        threads: planned.threads,
        scratch_bytes: 4 * (planned.workspace_floats + planned.packed_floats),
        packed_bytes: 4 * planned.packed_floats,
        run,
        runUnprepared:
          planned.packed_floats === 0
            ? null
            : () => {
                // A view of w discards its packed weights.
                session.view(module.Slot.w);
                run();
              },
        result: () => session.view(module.Slot[RESULT_OF[pass]]),
        dispose: () => session.close_session(),
      };
    } catch (thrown) {
      session.close_session();
      throw thrown;
    }
  }
}
