import type { Patch } from './site';

/** The kernel that is wrong, and the session slot of its result. */
export interface Fault {
  readonly pass: 'forward' | 'backward_data' | 'backward_weights' | 'backward_bias';
  /** '' is the kernel that the library plans. */
  readonly algorithm: string;
  readonly slot: 'y' | 'dx' | 'dw' | 'db';
  /** Added to the first element: a number, or the first element of x, so each problem has a different error. */
  readonly error: number | 'x[0]';
}

/**
 * Serves the WebAssembly module with one wrong kernel: after it runs, its result in the memory of the module is
 * changed. The rest is real: the measurement in C++, the answers of the worker, the page.
 */
export function breakKernel({ pass, algorithm, slot, error }: Fault): Patch {
  const added = error === 'x[0]' ? 'module.values(session, layer, module.Slot.x)[0]' : error;
  const wrapper = (name: string) => `
    const createSound = ${name};
    export default async (options) => {
      const module = await createSound(options);
      const { set_algorithm, run } = module;
      const names = new Map();
      module.set_algorithm = (session, layer, pass, algorithm) => {
        if (pass === module.Pass.${pass}) names.set(session, algorithm);
        return set_algorithm(session, layer, pass, algorithm);
      };
      module.run = (session, layer, operation, step) => {
        const status = run(session, layer, operation, step);
        const isIt = operation === module.Pass.${pass}.value && (names.get(session) ?? '') === '${algorithm}';
        if (isIt) module.values(session, layer, module.Slot.${slot})[0] += ${added};
        return status;
      };
      return module;
    };`;
  const exported = /export\s*\{\s*(\w+) as default\s*\};?\s*$/;
  return (file, body) => {
    if (!/conv2d-(simd|relaxed)[^/]*\.js$/.test(file)) return body;
    const text = body.toString('utf8');
    const name = exported.exec(text)?.[1];
    if (!name) throw new Error(`${file} does not end with its default export`);
    return Buffer.from(text.replace(exported, wrapper(name)));
  };
}
