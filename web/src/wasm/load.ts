import { relaxedSimd, simd } from 'wasm-feature-detect';
import type { MainModule } from './generated/conv2d';

export type { MainModule, Session, Status } from './generated/conv2d';

/** relaxed: fused multiply-add from relaxed SIMD, about twice the speed; simd: plain SIMD128. */
export type Variant = 'simd' | 'relaxed';

/** The fastest variant that this engine can run, or null when it has no WebAssembly SIMD at all. */
export async function detectVariant(): Promise<Variant | null> {
  if (typeof WebAssembly !== 'object') return null;
  if (await relaxedSimd()) return 'relaxed';
  return (await simd()) ? 'simd' : null;
}

// One literal import per variant: the bundler makes a file of each, and only the chosen one is downloaded.
const variants = {
  simd: () => import('./generated/conv2d-simd.mjs'),
  relaxed: () => import('./generated/conv2d-relaxed.mjs'),
} as const;

/** More threads than this gain little on the sizes that a page shows, and each costs a worker. */
const MOST_THREADS = 4;

/**
 * The threads that the module can have here: 1 where shared memory is withheld (the page is not isolated by its two
 * headers), where relaxed SIMD is missing, and on a machine with one processor.
 */
export async function availableThreads(): Promise<number> {
  if (globalThis.crossOriginIsolated !== true || typeof SharedArrayBuffer !== 'function') return 1;
  if (!(await relaxedSimd())) return 1;
  return Math.min(MOST_THREADS, globalThis.navigator.hardwareConcurrency);
}

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
  return createModule({ threads, locateFile: () => wasm });
}

/** A new instance of the module with a heap of its own. Rejects when it cannot be downloaded or compiled. */
export async function loadModule(variant: Variant): Promise<MainModule> {
  const { default: createModule } = await variants[variant]();
  return createModule();
}
