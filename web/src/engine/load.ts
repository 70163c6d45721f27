import type { MainModule } from '../wasm/module';
import { detectVariant, type Variant } from '../wasm/variant';
import { ConvFailure } from './failure';

// One literal import per variant: the bundler makes a file of each, and only the chosen one is downloaded.
const variants = {
  simd: () => import('../wasm/generated/conv2d-simd.mjs'),
  relaxed: () => import('../wasm/generated/conv2d-relaxed.mjs'),
} as const;

export interface Loaded {
  readonly module: MainModule;
  readonly variant: Variant;
}

/**
 * The only way to the library: a new instance of its module with a heap of its own, in the fastest variant that runs here or
 * in the one asked for. Throws module_unavailable.
 */
export async function loadModule(wanted?: Variant): Promise<Loaded> {
  const variant = wanted ?? (await detectVariant());
  if (!variant) {
    const message = 'this browser has no WebAssembly SIMD, which this needs; any browser since 2023 has it';
    throw new ConvFailure('module_unavailable', '', message);
  }
  try {
    const { default: createModule } = await variants[variant]();
    return { module: await createModule(), variant };
  } catch (thrown) {
    // What the loader says of it is for its makers.
    const message = /memory/i.test(String(thrown))
      ? 'there is no memory for what computes: close other tabs, then try again'
      : 'what computes could not be fetched, or arrived damaged: check the connection, then try again';
    throw new ConvFailure('module_unavailable', '', message);
  }
}
