import type { MainModule } from '../wasm/module';
import { detectVariant, type Variant } from '../wasm/variant';
import { ConvFailure } from './validate';

// One literal import per variant, so that the bundler makes separate files and only one is downloaded.
const variants = {
  simd: () => import('../wasm/generated/conv2d-simd.mjs'),
  relaxed: () => import('../wasm/generated/conv2d-relaxed.mjs'),
} as const;

export interface Loaded {
  readonly module: MainModule;
  readonly variant: Variant;
}

const FAILED =
  import.meta.env.MODE === 'single'
    ? 'the compute engine failed to load. The site may forbid WebAssembly: save this page and open it from the disk'
    : 'the compute engine failed to load. Check your connection and try again';

/**
 * Loads a new instance of the library's module with its own heap, in the fastest variant that runs here or in `wanted`. All code
 * that uses the library calls this. Throws module_unavailable.
 */
export async function loadModule(wanted?: Variant): Promise<Loaded> {
  const variant = wanted ?? (await detectVariant());
  if (!variant) {
    const message = 'this browser has no WebAssembly SIMD. Use a browser from 2023 or later';
    throw new ConvFailure('module_unavailable', '', message);
  }
  try {
    const { default: createModule } = await variants[variant]();
    return { module: await createModule(), variant };
  } catch (thrown) {
    // The loader's own message is for developers.
    const message = /memory/i.test(String(thrown))
      ? 'not enough memory to start the compute engine. Close other tabs and try again'
      : FAILED;
    throw new ConvFailure('module_unavailable', '', message);
  }
}
