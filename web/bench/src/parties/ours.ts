import { loadModule } from '../../../src/engine/load';
import { loadThreadsModule } from '../../../src/engine/load-threads';
import { SessionHeap } from '../../../src/engine/session-heap';
import { plainGeometry } from '../../../src/engine/validate';
import {
  type ConvDesc,
  type Geometry,
  PASSES,
  type Pass,
  RESULT_OF,
  type TensorName,
} from '../../../src/protocol/problem';
import type { MainModule } from '../../../src/wasm/module';
import type { Variant } from '../../../src/wasm/variant';
import { middleIndex } from '../layout';
import type { NetworkCase, NetworkStep } from '../network';
import type { Form, Party, Reference, Runner } from '../party';
import { type Case, INPUTS, makeCase, NAMED_SHAPES, type NamedShape, outputShape } from '../problem';
import { ourNetwork, referenceStep } from './ours-network';

const RESIDENT = {
  forward: ['w', 'b'],
  backward_data: ['w'],
  backward_weights: [],
  backward_bias: [],
} as const satisfies Record<Pass, readonly TensorName[]>;

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
    const rows = this.#ask(problem.desc, (heap) => heap.algorithms(problem.pass));
    const named = rows.filter(({ supported }) => supported).map(({ name }) => name);
    const formOf = (name: string, algorithm: string): Form => ({
      name,
      prepare: async () => this.#prepare(problem, algorithm),
    });
    return [formOf('plan', ''), ...named.filter(wanted).map((name) => formOf(name, name))];
  }

  networkForms(of: NetworkCase): readonly Form[] {
    return [{ name: 'plan', prepare: async () => ourNetwork(this.#module, of) }];
  }

  expectedStep(of: NetworkCase): NetworkStep {
    return referenceStep(this.#module, of);
  }

  makeCase(shape: NamedShape, pass: Pass): Case {
    return this.#ask(shape.desc, (_, geometry) => makeCase(shape, pass, geometry));
  }

  /** Computed by the reference algorithm: naive loops with a double accumulator. */
  expectedResult(problem: Case): Float32Array {
    const heap = this.#open(problem, 'reference');
    try {
      heap.runPlanned(problem.pass);
      return heap.copy(RESULT_OF[problem.pass]);
    } finally {
      heap.close();
    }
  }

  /** Names of the algorithms of all passes. */
  algorithmNames(): Set<string> {
    const rows = NAMED_SHAPES.slice(0, 1).flatMap(({ desc }) =>
      this.#ask(desc, (heap) => PASSES.flatMap((pass) => heap.algorithms(pass))),
    );
    return new Set(rows.map(({ name }) => name));
  }

  /** Opens a session with a problem for `work`. */
  #ask<Answer>(desc: ConvDesc, work: (heap: SessionHeap, geometry: Geometry) => Answer): Answer {
    const heap = new SessionHeap(this.#module);
    try {
      const { geometry } = heap.setProblem(desc);
      return work(heap, plainGeometry(this.#module, geometry));
    } finally {
      heap.close();
    }
  }

  #open(problem: Case, algorithm: string): SessionHeap {
    const heap = new SessionHeap(this.#module);
    try {
      heap.setProblem(problem.desc);
      for (const name of [...INPUTS[problem.pass], ...RESIDENT[problem.pass]]) heap.write(name, problem[name]);
      heap.setAlgorithm(problem.pass, algorithm);
      return heap;
    } catch (error) {
      heap.close();
      throw error;
    }
  }

  #prepare(problem: Case, name: string): Runner {
    const heap = this.#open(problem, name);
    const output = RESULT_OF[problem.pass];
    const { algorithm, workspace_floats: workspaceFloats } = heap.plan(problem.pass);
    const kernel = () => heap.runPlanned(problem.pass);
    kernel();
    return {
      algorithm,
      workspaceFloats,
      kernel,
      endToEnd: () => {
        for (const input of INPUTS[problem.pass]) heap.write(input, problem[input]);
        kernel();
        return heap.copy(output);
      },
      probe: () => {
        kernel();
        return heap.view(output)[middleIndex(outputShape(problem))] ?? Number.NaN;
      },
      dispose: () => heap.close(),
    };
  }
}
