import type { ConvError, ErrorCode } from '../protocol/problem';

/** The error of all calls: a code, the invalid field ('' if there is no single one), and a message. */
export class ConvFailure extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly field: string,
    message: string,
  ) {
    super(message);
    this.name = 'ConvFailure';
  }
}

/** Any thrown value as a ConvError. Unexpected errors are 'internal': the state of the module is then unknown. */
export function toConvError(thrown: unknown): ConvError {
  if (thrown instanceof ConvFailure) return { code: thrown.code, field: thrown.field, message: thrown.message };
  // Results are copied out of the module. This is the only allocation in JavaScript that may fail.
  if (thrown instanceof RangeError) {
    const message = 'not enough memory for the result. Use a smaller problem';
    return { code: 'out_of_memory', field: '', message };
  }
  const cause = thrown instanceof Error ? thrown.message : String(thrown);
  const message = `the computation failed unexpectedly${inBrackets(withoutAdvice(cause))}`;
  return { code: 'internal', field: '', message };
}

/** Calls `act` and converts everything that it throws to a ConvFailure. */
export function guarded<T>(act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof ConvFailure) throw thrown;
    const { code, field, message } = toConvError(thrown);
    throw Object.assign(new ConvFailure(code, field, message), { cause: thrown });
  }
}

/** Removes the text that Emscripten's loader adds for developers. */
const withoutAdvice = (cause: string): string =>
  cause.replace(/Aborted\((.*)\)\. Build with \S+ for more info\./, '$1');

const inBrackets = (cause: string): string => (cause === '' ? '' : ` (${cause})`);
