import { scriptAddress } from '../trust/script-address';
import type { MainModule } from '../wasm/module';

export interface LoadedThreads {
  readonly module: MainModule;
  /** Ends the helping threads; the module must not be used afterwards. */
  readonly stop: () => void;
}

/**
 * The relaxed variant on shared memory, with `threads` - 1 workers that help the calling thread. Its loader starts them
 * from its own file, which therefore is no part of a bundle. Rejects where that file, or a worker, is not to be had.
 */
export async function loadThreadsModule(threads: number): Promise<LoadedThreads> {
  const loader = new URL('../wasm/generated/conv2d-threads.mjs', import.meta.url).href;
  const wasm = new URL('../wasm/generated/conv2d-threads.wasm', import.meta.url).href;
  const workers: Worker[] = [];
  let starting = true;
  const stop = (): void => {
    for (const worker of workers) worker.terminate();
  };
  const { default: createModule } = (await import(
    /* @vite-ignore */ /* webpackIgnore: true */ loader
  )) as typeof import('../wasm/generated/conv2d-threads.mjs');
  try {
    const module = await new Promise<MainModule>((resolve, reject) => {
      const startWorker = (options: WorkerOptions): Worker => {
        const worker = new Worker(scriptAddress(loader), options);
        workers.push(worker);
        // The loader would wait for ever for one that does not start. In Node they are of another kind, and always start.
        worker.addEventListener?.('error', (event) => {
          if (!starting) return;
          event.preventDefault();
          event.stopImmediatePropagation();
          reject(new TypeError('a thread did not start'));
        });
        return worker;
      };
      createModule({ threads, locateFile: () => wasm, startWorker }).then(resolve, reject);
    });
    starting = false;
    return { module, stop };
  } catch (thrown) {
    stop();
    throw thrown;
  }
}
