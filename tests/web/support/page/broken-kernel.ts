import type { MainModule } from '../../../../web/src/wasm/module';

/** The kernel that is wrong, and the slot of its result. */
export interface Fault {
  readonly pass: 'forward' | 'backward_data' | 'backward_weights' | 'backward_bias';
  /** '' is the kernel that the library plans. */
  readonly algorithm: string;
  readonly slot: 'y' | 'dx' | 'dw' | 'db';
  /** Added to the first element: a number, or the first element of x, so each problem has a different error. */
  readonly error: number | 'x[0]';
}

/** The module with one wrong kernel: after it runs, its result in the memory of the module is changed. The rest is real. */
export function withFault(module: MainModule, { pass, algorithm, slot, error }: Fault): MainModule {
  const spoil = (session: number, layer: number, result: Float32Array): void => {
    const added = error === 'x[0]' ? module.values(session, layer, module.Slot.x)[0] : error;
    result[0] = (result[0] ?? 0) + (added ?? 0);
  };
  const names = new Map<number, string>();
  const set_algorithm: MainModule['set_algorithm'] = (session, layer, which, name) => {
    if (which === module.Pass[pass]) names.set(session, String(name));
    return module.set_algorithm(session, layer, which, name);
  };
  const run: MainModule['run'] = (session, layer, operation, step) => {
    const status = module.run(session, layer, operation, step);
    const isFaulty = operation === module.Pass[pass].value && (names.get(session) ?? '') === algorithm;
    if (isFaulty) spoil(session, layer, module.values(session, layer, module.Slot[slot]));
    return status;
  };
  return Object.assign(Object.create(module) as MainModule, { set_algorithm, run });
}
