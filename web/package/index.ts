import { loadModule } from '../src/engine/load';
import { ConvFailure as Failure, refuse } from '../src/engine/validate';
import type { EngineErrorCode } from '../src/protocol/problem';
import { detectVariant } from '../src/wasm/variant';
import type { Build, Conv, Options } from './api';
import { checkCount, kindOf } from './check-types';
import { disposable, type LoadedEngine, ModuleConv } from './conv';

export type { Layout, Padding, Shape } from '../src/protocol/problem';
export type { AlgorithmInfo } from '../src/protocol/questions';
export type {
  ArraysOfLayer,
  FileVerdict,
  Judgement,
  LayerChoice,
  LayerGeometry,
  LayerJoin,
  LayerVerdict,
  Role,
  TensorVerdict,
} from '../src/protocol/verdict';
export type {
  Algorithms,
  AlgorithmsOf,
  Backward,
  Build,
  Conv,
  FilterValues,
  Forward,
  Geometry,
  Gradient,
  Gradients,
  Layer,
  LayerBackward,
  LayerForward,
  Options,
  Outputs,
  PerAxis,
  Prepare,
  Result,
  Shaped,
  Values,
} from './api';
export type { CheckedArray, CheckOptions } from './check';
export { check } from './check';

/** The kind of an error; `message` has the details. */
export type ErrorCode = EngineErrorCode;

/** The error of every call: a code, the invalid field ('' if there is no single one), and a message. */
export interface ConvFailure extends Error {
  readonly code: ErrorCode;
  readonly field: string;
}
// The page also throws this class with further codes, which are not part of the package.
/** For `instanceof`. */
export const ConvFailure: { readonly prototype: ConvFailure } & (abstract new () => ConvFailure) = Failure as never;

const BUILDS: readonly Build[] = ['simd', 'relaxed', 'threads'];
/** Each thread is a worker. */
const MOST_THREADS = 64;

/**
 * Creates an engine with its own memory, with the fastest build that runs here or with `options.build`. Rejects with a
 * ConvFailure: `unsupported` if this JavaScript engine cannot run the build, `module_unavailable` if its files cannot be loaded.
 */
export async function createConv(options: Options = {}): Promise<Conv> {
  const { build, threads } = checkOptions(options);
  const wanted = build ?? (threads > 1 && (await missing('threads')) === null ? 'threads' : undefined);
  const lacks = await missing(build ?? 'simd');
  if (lacks !== null) {
    const isOldest = build === undefined || build === 'simd';
    const remedy = isOldest ? 'use a newer version' : 'leave build out to use the fastest build that runs here';
    refuse(build ? 'build' : '', `this JavaScript engine has no ${lacks}; ${remedy}`, 'unsupported');
  }
  const parts = wanted === 'threads' ? await onThreads(threads, build === undefined) : null;
  return disposable(new ModuleConv(parts ?? (await onOneThread(build === 'threads' ? undefined : build))));
}

function checkOptions(options: unknown): { readonly build: Build | undefined; readonly threads: number } {
  if (typeof options !== 'object' || options === null) {
    refuse('options', `options is ${kindOf(options)}, but must be an object { build, threads }`);
  }
  for (const name of Object.keys(options)) {
    if (name !== 'build' && name !== 'threads')
      refuse(name, `${name} is not an option; the options are build and threads`);
  }
  const { build, threads = 1 } = options as Options;
  if (build !== undefined && !BUILDS.includes(build)) {
    refuse('build', `build is ${kindOf(build)}, but must be one of ${BUILDS.join(', ')}`);
  }
  checkCount(threads, 'threads');
  if (threads < 1 || threads > MOST_THREADS) {
    refuse('threads', `threads is ${threads}, but must be from 1 to ${MOST_THREADS}`);
  }
  if (build === 'threads' && threads === 1) refuse('threads', `build 'threads' needs threads of 2 or more`);
  if (build !== undefined && build !== 'threads' && threads > 1) {
    refuse('threads', `build '${build}' has one thread; leave out build or threads`);
  }
  return { build, threads };
}

/** The feature that a build needs and this JavaScript engine lacks, or null. */
async function missing(build: Build): Promise<string | null> {
  const variant = await detectVariant();
  if (variant === null) return 'WebAssembly SIMD (browsers have it since 2023, Node since 16.4)';
  if (build === 'simd') return null;
  if (variant !== 'relaxed') return 'relaxed SIMD (Node 20: --experimental-wasm-relaxed-simd)';
  // A page that is not isolated may define SharedArrayBuffer but cannot use it.
  const shared = typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
  if (build === 'relaxed' || shared) return null;
  const headers = 'Cross-Origin-Opener-Policy: same-origin, Cross-Origin-Embedder-Policy: require-corp';
  return `shared memory (for a page, its server must send ${headers})`;
}

async function onOneThread(build: 'simd' | 'relaxed' | undefined): Promise<LoadedEngine> {
  const { module, variant } = await loadModule(build);
  return { module, build: variant, threads: 1, stop: () => undefined };
}

/** Null if the threads do not start and are optional: a policy may block workers, or a bundler may not include their file. */
async function onThreads(threads: number, optional: boolean): Promise<LoadedEngine | null> {
  try {
    const { loadThreadsModule } = await import('../src/engine/load-threads');
    return { ...(await loadThreadsModule(threads)), build: 'threads', threads };
  } catch (cause) {
    if (optional) return null;
    const message = 'the threads did not start; leave build out to use one thread if they do not start';
    throw Object.assign(new Failure('module_unavailable', 'build', message), { cause });
  }
}
