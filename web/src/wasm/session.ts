import type { MainModule } from './generated/conv2d';

/** All functions of the module that take a session handle first. */
type CallName = {
  [Name in keyof MainModule]: Name extends `${'HEAP' | '_'}${string}`
    ? never
    : MainModule[Name] extends (...args: infer Args) => unknown
      ? Args extends [session: number, ...unknown[]]
        ? Name
        : never
      : never;
}[keyof MainModule];

/** A session of the module: its functions without the handle, as if they were methods. `close_session` frees it. */
export type Session = {
  readonly [Name in CallName]: MainModule[Name] extends (session: number, ...args: infer Args) => infer Value
    ? (...args: Args) => Value
    : never;
} & { readonly handle: number };

export function openSession(module: MainModule): Session {
  const handle = module.open_session();
  return new Proxy({ handle } as Session, {
    get: (target, name: CallName) =>
      target[name] ?? ((...args: never[]) => (module[name] as (...all: never[]) => unknown)(handle as never, ...args)),
  });
}
