import { loadModule } from '../../engine/load';
import { loadThreadsModule } from '../../engine/load-threads';
import { SessionHeap } from '../../engine/session-heap';
import { toConvError } from '../../engine/validate';
import { type ConvDesc, type Pass, READ_BY, RESULT_OF } from '../../protocol/problem';
import type { RaceBuild, RaceMachine, RaceTask } from '../../protocol/race';
import type { MainModule } from '../../wasm/module';
import { detectVariant } from '../../wasm/variant';
import { MOST_THREADS } from '../threads';
import { clockStep } from './timing';

/** Inputs of all entrants. */
export type RaceInputs = Readonly<Record<'x' | 'w' | 'b' | 'dy', Float32Array>>;

export interface PreparedTask extends RaceTask {
  readonly inputs: RaceInputs;
}

/** An entrant that is prepared for a task: tensors are copied and memory is allocated. */
export interface Runner {
  readonly algorithm: string;
  readonly threads: number;
  readonly scratch_bytes: number;
  readonly run: () => void;
  /** The result of the last run: a view, valid until the next call. */
  readonly result: () => Float32Array;
  readonly dispose: () => void;
}

/** An implementation that may race. */
export interface Entrant {
  readonly id: string;
  readonly build: RaceBuild;
  /** Why it does not support the problem; '' if it does. */
  readonly whyNot: (desc: ConvDesc, pass: Pass) => string;
  readonly prepare: (task: PreparedTask) => Runner;
}

/** The algorithm with im2col (or col2im) and a matrix product. */
const IM2COL = { forward: 'im2col_gemm', backward_data: 'col2im', backward_weights: 'im2col_gemm', backward_bias: '' };

export function createLibrary(module: MainModule, build: RaceBuild) {
  const prepare = ({ desc, pass, inputs }: PreparedTask, name: string): Runner => {
    const heap = new SessionHeap(module);
    try {
      heap.setProblem(desc);
      for (const input of READ_BY[pass]) heap.write(input, inputs[input]);
      const { algorithm, threads, workspace_floats, packed_floats } = heap.plan(pass, name);
      return {
        algorithm,
        threads,
        scratch_bytes: 4 * (workspace_floats + packed_floats),
        run: () => heap.runPlanned(pass),
        result: () => heap.view(RESULT_OF[pass]),
        dispose: () => heap.close(),
      };
    } catch (thrown) {
      heap.close();
      throw thrown;
    }
  };

  const entrant = (id: string, nameOf: (pass: Pass) => string, why: (pass: Pass) => string = () => ''): Entrant => ({
    id: `${build}:${id}`,
    build,
    whyNot: (_, pass) => why(pass),
    prepare: (task) => prepare(task, nameOf(task.pass)),
  });

  const needsNone = (pass: Pass) => (IM2COL[pass] === '' ? 'db is a sum of dy: it needs no im2col' : '');
  return {
    /** The algorithm that plan() chooses. */
    choice: entrant('', () => ''),
    im2col: entrant('im2col', (pass) => IM2COL[pass], needsNone),
    /** All other algorithms, except the reference, which sums in double. */
    others({ desc, pass }: RaceTask): readonly Entrant[] {
      const heap = new SessionHeap(module);
      try {
        heap.setProblem(desc);
        const others = heap.algorithms(pass).filter(({ name }) => name !== 'reference' && name !== IM2COL[pass]);
        return others.map(({ name, supported, reason }) => {
          const why = supported ? '' : reason;
          return entrant(
            name,
            () => name,
            () => why,
          );
        });
      } finally {
        heap.close();
      }
    },
  };
}

type Library = ReturnType<typeof createLibrary>;

export interface Machine {
  readonly facts: RaceMachine;
  /** Available builds, slowest first. */
  readonly libraries: ReadonlyMap<RaceBuild, Library>;
}

/** Loads all builds that run here, with the reason for those that do not. */
export async function survey(): Promise<Machine> {
  const libraries = new Map<RaceBuild, Library>();
  const isolated = self.crossOriginIsolated === true;
  const cores = navigator.hardwareConcurrency;
  const threads = isolated ? Math.min(MOST_THREADS, cores) : 1;
  const variant = await detectVariant();
  const relaxed = variant === 'relaxed';
  const builds: Record<RaceBuild, string> = {
    loops: '',
    simd: variant ? '' : 'this browser has no WebAssembly SIMD',
    relaxed: relaxed ? '' : 'this browser has no relaxed SIMD (fused multiply-add) in WebAssembly',
    threads: whyNoThreads(isolated, relaxed, threads),
  };
  const load = async (build: RaceBuild, loading: () => Promise<{ readonly module: MainModule }>) => {
    if (builds[build] !== '') return;
    try {
      libraries.set(build, createLibrary((await loading()).module, build));
    } catch (thrown) {
      builds[build] =
        build === 'threads' ? 'its file failed to load or a thread did not start' : toConvError(thrown).message;
    }
  };
  await load('simd', () => loadModule('simd'));
  await load('relaxed', () => loadModule('relaxed'));
  await load('threads', () => loadThreadsModule(threads));
  return { facts: { cores, clock_step: clockStep(), builds, threads }, libraries };
}

function whyNoThreads(isolated: boolean, relaxed: boolean, threads: number): string {
  if (!isolated) return 'the page is not cross-origin isolated, so it has no shared memory';
  if (!relaxed) return 'the build with threads needs relaxed SIMD';
  return threads > 1 ? '' : 'this device reports only one processor';
}
