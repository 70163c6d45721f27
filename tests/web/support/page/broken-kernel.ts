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
  let next = '';
  const plan: MainModule['plan'] = (session, which, name) => {
    next = String(name);
    return module.plan(session, which, name);
  };
  const run: MainModule['run'] = (session, which, step) => {
    const status = module.run(session, which, step);
    if (which === module.Pass[pass] && next === algorithm) {
      const result = module.view(session, module.Slot[slot]);
      const added = error === 'x[0]' ? module.view(session, module.Slot.x)[0] : error;
      result[0] = (result[0] ?? 0) + (added ?? 0);
    }
    return status;
  };
  return Object.assign(Object.create(module) as MainModule, { plan, run });
}
