import type { MainModule } from './generated/conv2d';
import type { Variant } from './variant';

export type { MainModule, Status } from './generated/conv2d';
export type { Variant } from './variant';

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
