import type { ConvError, ErrorCode } from '../protocol/errors';

/** What is thrown: a code, the field at fault ('' when it is no single one), and a sentence for a person. */
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

/** Anything that was thrown, as a value. What nobody foresaw is 'internal': the module may be in any state after it. */
export function toConvError(thrown: unknown): ConvError {
  if (thrown instanceof ConvFailure) return { code: thrown.code, field: thrown.field, message: thrown.message };
  // Results are copied out of the module; that copy is the one allocation that JavaScript makes and may be refused.
  if (thrown instanceof RangeError) {
    const message = 'there is no memory for the result: make the problem smaller';
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
