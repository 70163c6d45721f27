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

/** A new instance of the module with a heap of its own. Rejects when it cannot be downloaded or compiled. */
export async function loadModule(variant: Variant): Promise<MainModule> {
  const { default: createModule } = await variants[variant]();
  return createModule();
}
