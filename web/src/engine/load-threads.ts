import { scriptAddress } from '../loading/script-address';
import type { MainModule } from '../wasm/module';

/**
 * Loads the relaxed variant with shared memory and `threads` - 1 workers beside the calling thread. Emscripten's loader starts
 * the workers from its own file, so that file is not bundled. Rejects if the file or a worker fails to load. `stop` ends all other
 * threads; the module must not be used afterwards.
 */
export async function loadThreadsModule(threads: number) {
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
        // Without this the loader would wait without end for a worker that does not start. In Node workers always start.
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
