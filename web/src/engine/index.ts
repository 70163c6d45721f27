import { detectVariant } from '../wasm/variant';
import type { Conv, Options } from './api';
import { ModuleConv, type Parts } from './conv';
import { ConvFailure } from './failure';
import { loadModule } from './load';
import { checkCount, checkFields } from './validate';

export type { ConvError, ErrorCode } from '../protocol/errors';
export type { Layout, Padding, Shape } from '../protocol/problem';
export type { Variant } from '../wasm/variant';
export type { Backward, Build, Conv, Forward, Geometry, Gradient, Options, PerAxis, Values } from './api';
export { ConvFailure } from './failure';

/** Each is a worker: a number beyond this one is a mistake. */
const MOST_THREADS = 64;

/**
 * A new engine with memory of its own, on the fastest build of the library that runs here, or on what is asked for. Rejects
 * with a ConvFailure: module_unavailable where there is no WebAssembly SIMD, or the files are not to be had.
 */
export async function createConv(options: Options = {}): Promise<Conv> {
  const { build, threads = 1 } = checkFields(
    options,
    Object.keys(Object(options)).filter(isOption),
    'the options',
  ) as Options;
  if (build !== undefined && build !== 'simd' && build !== 'relaxed') {
    throw new ConvFailure('invalid_argument', 'build', `build is ${String(build)}, which is neither simd nor relaxed`);
  }
  const asked = checkCount(threads, 'threads');
  if (asked < 1 || asked > MOST_THREADS) {
    throw new ConvFailure('invalid_argument', 'threads', `threads is ${asked}, but must be from 1 to ${MOST_THREADS}`);
  }
  const several = asked > 1 && build !== 'simd' ? await withThreads(asked) : null;
  return new ModuleConv(several ?? (await onOneThread(build)));
}

const isOption = (name: string): boolean => name === 'threads' || name === 'build';

async function onOneThread(build: Options['build']): Promise<Parts> {
  const { module, variant } = await loadModule(build);
  return { module, build: variant, threads: 1, stop: () => undefined };
}

/** Null where the build with threads does not run. */
async function withThreads(threads: number): Promise<Parts | null> {
  // A page that is not isolated may have the name, and not the thing.
  if (typeof SharedArrayBuffer !== 'function' || globalThis.crossOriginIsolated === false) return null;
  if ((await detectVariant()) !== 'relaxed') return null;
  try {
    const { loadThreadsModule } = await import('./load-threads');
    return { ...(await loadThreadsModule(threads)), build: 'threads', threads };
  } catch {
    // A policy may refuse its workers; a bundler may have left its file behind.
    return null;
  }
}
