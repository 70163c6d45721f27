import { loadModule } from '../../../web/src/engine/load';
import { loadThreadsModule } from '../../../web/src/engine/load-threads';
import { ConvFailure, toConvError } from '../../../web/src/engine/validate';
import type { ConvError } from '../../../web/src/protocol/problem';
import type { MainModule } from '../../../web/src/wasm/module';
import type { Variant } from '../../../web/src/wasm/variant';
import { answerQuestion, prepareAnswer } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';
import { networks } from '../../../web/src/worker/network';

/** All are tested wherever the tests run (tests/vitest.config.ts turns relaxed SIMD on in older Node versions). */
export type Build = Variant | 'threads';
export const VARIANTS: readonly Build[] = ['simd', 'relaxed', 'threads'];

export interface Loaded {
  readonly module: MainModule;
  readonly engine: ConvEngine;
}

/** An engine that is ready for every question. */
export async function load(build: Build): Promise<Loaded> {
  const { module } = await (build === 'threads' ? loadThreadsModule(2) : loadModule(build));
  const engine = new ConvEngine(module, answerQuestion, null, networks);
  await prepareAnswer({ kind: 'gradient_check' }, engine);
  return { module, engine };
}

/** The error that `act` throws, as a ConvError. */
export function errorOf(act: () => unknown): ConvError {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof ConvFailure) return toConvError(thrown);
    throw thrown;
  }
  throw new Error('nothing was thrown');
}

export const numbers = (array: ArrayLike<number> | undefined): number[] => Array.from(array ?? []);
