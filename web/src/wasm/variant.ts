import { relaxedSimd, simd } from 'wasm-feature-detect';

/** relaxed: fused multiply-add from relaxed SIMD, about twice the speed; simd: plain SIMD128. */
export type Variant = 'simd' | 'relaxed';

/** The fastest variant that this JavaScript engine can run; null if it has no WebAssembly SIMD. */
export async function detectVariant(): Promise<Variant | null> {
  if (typeof WebAssembly !== 'object') return null;
  if (await relaxedSimd()) return 'relaxed';
  return (await simd()) ? 'simd' : null;
}
