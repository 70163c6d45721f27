import type { MainModule } from './generated/conv2d';

/** What the module does with a session: every function that takes its handle first. */
type CallName = {
  [Name in keyof MainModule]: Name extends `${'HEAP' | '_'}${string}`
    ? never
    : MainModule[Name] extends (...taken: infer Taken) => unknown
      ? Taken extends [session: number, ...unknown[]]
        ? Name
        : never
      : never;
}[keyof MainModule];

/** A session of the module: its functions without the handle, as if they were methods. `close_session` frees it. */
export type Session = {
  readonly [Name in CallName]: MainModule[Name] extends (session: number, ...taken: infer Taken) => infer Value
    ? (...taken: Taken) => Value
    : never;
} & { readonly handle: number };

export function openSession(module: MainModule): Session {
  const handle = module.open_session();
  return new Proxy({ handle } as Session, {
    get: (target, name: CallName) =>
      target[name] ??
      ((...taken: never[]) => (module[name] as (...all: never[]) => unknown)(handle as never, ...taken)),
  });
}
