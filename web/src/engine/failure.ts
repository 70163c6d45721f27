import type { ConvError, ErrorCode } from '../protocol/errors';

/** How an error travels inside the worker, where calls nest; it leaves the room as the plain value `error`. */
export class ConvFailure extends Error {
  readonly error: ConvError;

  constructor(code: ErrorCode, field: string, message: string) {
    super(message);
    this.name = 'ConvFailure';
    this.error = { code, field, message };
  }
}

/** Anything that was thrown, as a value. What nobody foresaw is 'internal': the module may be in any state after it. */
export function toConvError(thrown: unknown): ConvError {
  if (thrown instanceof ConvFailure) return thrown.error;
  // Results are copied out of the module; that copy is the one allocation that JavaScript makes and may be refused.
  if (thrown instanceof RangeError) {
    const message = 'the browser did not give the page the memory for the result: make the problem smaller';
    return { code: 'out_of_memory', field: '', message };
  }
  const cause = thrown instanceof Error ? thrown.message : String(thrown);
  const message = `the computation broke off in a way that nobody foresaw${inBrackets(withoutAdvice(cause))}`;
  return { code: 'internal', field: '', message };
}

/** Without what the module's loader wraps around a reason, which is for those who build it. */
const withoutAdvice = (cause: string): string =>
  cause.replace(/Aborted\((.*)\)\. Build with \S+ for more info\./, '$1');

const inBrackets = (cause: string): string => (cause === '' ? '' : ` (${cause})`);
