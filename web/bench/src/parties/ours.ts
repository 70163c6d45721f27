import { loadModule } from '../../../src/engine/load';
import { loadThreadsModule } from '../../../src/engine/load-threads';
import { openSession, type Session } from '../../../src/engine/session-heap';
import { embindDesc, plainGeometry } from '../../../src/engine/validate';
import {
  type ConvDesc,
  type Geometry,
  PASSES,
  type Pass,
  RESULT_OF,
  type TensorName,
} from '../../../src/protocol/problem';
import { type MainModule, type Status, textOf } from '../../../src/wasm/module';
import type { Variant } from '../../../src/wasm/variant';
import { middleIndex } from '../layout';
import type { Form, Party, Reference, Runner } from '../party';
import { type Case, INPUTS, makeCase, NAMED_SHAPES, type NamedShape, outputShape } from '../problem';

const RESIDENT = {
  forward: ['w', 'b'],
  backward_data: ['w'],
  backward_weights: [],
  backward_bias: [],
} as const satisfies Record<Pass, readonly TensorName[]>;

const neverCancel = () => true;

/** Names. A name that a pass or problem does not support is skipped there. */
type Algorithms = 'all' | readonly string[];

/** One build of this project's module. */
export class Ours implements Party, Reference {
  readonly name: string;
  readonly version = 'this tree';
  readonly #module: MainModule;
  readonly #named: Algorithms;

  private constructor(module: MainModule, name: string, named: Algorithms) {
    this.name = name;
    this.#module = module;
    this.#named = named;
  }

  /** Loads each variant with each thread count. Only relaxed SIMD has a build with threads. */
  static load(variants: readonly Variant[], threads: readonly number[], named: Algorithms): Promise<Ours[]> {
    const several = variants.includes('relaxed') ? threads.filter((count) => count > 1) : [];
    const single = threads.includes(1) || several.length === 0 ? variants : variants.filter((name) => name === 'simd');
    return Promise.all([
      ...single.map(async (variant) => new Ours((await loadModule(variant)).module, `ours-${variant}`, named)),
      ...several.map(
        async (count) => new Ours((await loadThreadsModule(count)).module, `ours-${count}-threads`, named),
      ),
    ]);
  }

  /** The plan's choice, then the requested algorithms. */
  forms(problem: Case): readonly Form[] {
    const wanted = (name: string) => this.#named === 'all' || this.#named.includes(name);
    const rows = this.#ask(problem.desc, (session) => session.algorithms(this.#module.Pass[problem.pass]));
    const named = rows.filter(({ supported }) => supported).map(({ name }) => textOf(name));
    const formOf = (name: string, algorithm: string): Form => ({
      name,
      prepare: async () => this.#prepare(problem, algorithm),
    });
    return [formOf('plan', ''), ...named.filter(wanted).map((name) => formOf(name, name))];
  }

  makeCase(shape: NamedShape, pass: Pass): Case {
    return this.#ask(shape.desc, (_, geometry) => makeCase(shape, pass, geometry));
  }

  /** Computed by the reference algorithm: naive loops with a double accumulator. */
  expectedResult(problem: Case): Float32Array {
    const { session } = this.#session(problem, 'reference');
    try {
      this.#check(session.run(this.#module.Pass[problem.pass], neverCancel));
      return session.view(this.#module.Slot[RESULT_OF[problem.pass]]).slice();
    } finally {
      session.close_session();
    }
  }

  /** Names of the algorithms of all passes. */
  algorithmNames(): Set<string> {
    const rows = NAMED_SHAPES.slice(0, 1).flatMap(({ desc }) =>
      this.#ask(desc, (session) => PASSES.flatMap((pass) => session.algorithms(this.#module.Pass[pass]))),
    );
    return new Set(rows.map(({ name }) => textOf(name)));
  }

  /** Opens a session with a problem for `work`. */
  #ask<Answer>(desc: ConvDesc, work: (session: Session, geometry: Geometry) => Answer): Answer {
    const session = openSession(this.#module);
    try {
      const { status, geometry } = session.set_problem(embindDesc(this.#module, desc));
      this.#check(status);
      return work(session, plainGeometry(this.#module, geometry));
    } finally {
      session.close_session();
    }
  }

  #session(problem: Case, algorithm: string) {
    const { Pass: passes, Slot: slots } = this.#module;
    const session = openSession(this.#module);
    try {
      this.#check(session.set_problem(embindDesc(this.#module, problem.desc)).status);
      for (const name of [...INPUTS[problem.pass], ...RESIDENT[problem.pass]]) {
        this.#check(session.reserve(slots[name], problem[name].length));
        session.view(slots[name]).set(problem[name]);
      }
      const planned = session.plan(passes[problem.pass], algorithm);
      this.#check(planned.status);
      return { session, planned };
    } catch (error) {
      session.close_session();
      throw error;
    }
  }

  #prepare(problem: Case, name: string): Runner {
    const { Pass: passes, Slot: slots } = this.#module;
    const { session, planned } = this.#session(problem, name);
    const pass = passes[problem.pass];
    const output = slots[RESULT_OF[problem.pass]];
    const inputs = INPUTS[problem.pass].map((input) => [slots[input], problem[input]] as const);
    this.#check(session.run(pass, neverCancel));
    const kernel = () => {
      if (this.#module._conv2d_run(session.handle, pass.value) !== 0) this.#check(session.run(pass, neverCancel));
    };
    return {
      algorithm: textOf(planned.algorithm),
      workspaceFloats: planned.workspace_floats,
      kernel,
      endToEnd: () => {
        for (const [slot, values] of inputs) session.view(slot).set(values);
        kernel();
        return session.view(output).slice();
      },
      probe: () => {
        kernel();
        return session.view(output)[middleIndex(outputShape(problem))] ?? Number.NaN;
      },
      dispose: () => session.close_session(),
    };
  }

  #check({ code, message }: Status): void {
    if (code !== this.#module.ErrorCode.ok) throw new Error(textOf(message));
  }
}
