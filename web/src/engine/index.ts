import { loadModule } from '../wasm/load';
import { detectVariant } from '../wasm/variant';
import { Conv } from './conv';
import { ConvFailure } from './failure';

export type { ConvError, ErrorCode } from '../protocol/errors';
export type { Layout, Padding, Shape } from '../protocol/problem';
export type { Variant } from '../wasm/variant';
export type { Backward, Conv, Forward, Gradient } from './conv';
export type { Geometry, PerAxis, Values } from './describe';
export { ConvFailure } from './failure';

/**
 * A new engine with memory of its own, on the fastest build of the library that runs here (or the one asked for). Rejects with
 * module_unavailable where there is no WebAssembly SIMD.
 */
export async function createConv(variant?: import('../wasm/variant').Variant): Promise<Conv> {
  const fastest = variant ?? (await detectVariant());
  if (fastest) return new Conv(await loadModule(fastest));
  throw new ConvFailure('module_unavailable', '', 'there is no WebAssembly with SIMD here');
}
