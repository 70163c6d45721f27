import { toConvError } from '../../engine/failure';
import { loadModule } from '../../engine/load';
import { loadThreadsModule } from '../../engine/load-threads';
import type { RaceBuild, RaceMachine } from '../../protocol/race';
import { loadRace, type RaceModule } from '../../wasm/load-race';
import type { MainModule } from '../../wasm/module';
import { detectVariant } from '../../wasm/variant';
import { MOST_THREADS } from '../threads';
import { Library } from './library';
import { clockStep } from './timing';

export interface Machine {
  readonly facts: RaceMachine;
  readonly race: RaceModule;
  /** Available builds, slowest first. */
  readonly libraries: ReadonlyMap<RaceBuild, Library>;
}

/** Loads all builds that run here, with the reason for those that do not. */
export async function survey(): Promise<Machine> {
  const race = await loadRace();
  const libraries = new Map<RaceBuild, Library>();
  const isolated = self.crossOriginIsolated === true;
  const threads = isolated ? Math.min(MOST_THREADS, navigator.hardwareConcurrency) : 1;
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
      libraries.set(build, new Library((await loading()).module, build));
    } catch (thrown) {
      builds[build] =
        build === 'threads' ? 'its file failed to load or a thread did not start' : toConvError(thrown).message;
    }
  };
  await load('simd', () => loadModule('simd'));
  await load('relaxed', () => loadModule('relaxed'));
  await load('threads', () => loadThreadsModule(threads));
  const cores = navigator.hardwareConcurrency;
  return { facts: { cores, isolated, clock_step: clockStep(), builds, threads }, race, libraries };
}

function whyNoThreads(isolated: boolean, relaxed: boolean, threads: number): string {
  if (!isolated) return 'the page is not cross-origin isolated, so it has no shared memory';
  if (!relaxed) return 'the build with threads needs relaxed SIMD';
  return threads > 1 ? '' : 'this device reports only one processor';
}
