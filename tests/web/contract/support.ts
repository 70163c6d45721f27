import { loadModule } from '../../../web/src/engine/load';
import { loadThreadsModule } from '../../../web/src/engine/load-threads';
import { ConvFailure, toConvError } from '../../../web/src/engine/validate';
import type { ComputeResult } from '../../../web/src/protocol/messages';
import type { ConvError } from '../../../web/src/protocol/problem';
import type { MainModule } from '../../../web/src/wasm/module';
import type { Variant } from '../../../web/src/wasm/variant';
import { answerQuestion, prepareAnswer } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';

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
  const engine = new ConvEngine(module, answerQuestion);
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

/** A layer of a result, with what belongs to the whole. */
export function layerIn({ layers, x_stats, ...whole }: ComputeResult, layer = 0) {
  const own = layers[layer];
  if (!own) throw new Error(`the result has no layer ${layer}`);
  return { ...whole, ...own, input_stats: { x: x_stats, ...own.stats } };
}

/** The tensors between the layers of a result: gradients[i] is that of values[i]. x, which is not sent, is missing. */
export const between = ({ layers }: ComputeResult) => ({
  values: [undefined, ...layers.map(({ tensors }) => tensors.y)],
  gradients: [layers[0]?.tensors.dx, ...layers.map(({ tensors }) => tensors.dy)],
});
