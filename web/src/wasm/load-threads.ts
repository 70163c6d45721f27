import { scriptAddress } from '../trust/script-address';
import type { MainModule } from './generated/conv2d';

/** More threads than this gain little on the sizes that a page shows, and each costs a worker. */
const MOST_THREADS = 4;

/** The threads that the module can have on an isolated page: 1 on a machine with one processor. */
export const availableThreads = (): number => Math.min(MOST_THREADS, navigator.hardwareConcurrency);

/**
 * The relaxed variant on shared memory, with `threads` - 1 workers that help the calling thread. Its loader starts them
 * from its own file, which therefore is no part of a bundle.
 */
export async function loadThreadsModule(threads: number): Promise<MainModule> {
  const loader = new URL('./generated/conv2d-threads.mjs', import.meta.url).href;
  const wasm = new URL('./generated/conv2d-threads.wasm', import.meta.url).href;
  const { default: createModule } = (await import(
    /* @vite-ignore */ loader
  )) as typeof import('./generated/conv2d-threads.mjs');
  return createModule({ threads, locateFile: () => wasm, workerAddress: scriptAddress(loader) });
}
