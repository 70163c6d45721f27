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
    return { code: 'out_of_memory', field: '', message: `the browser could not hold the result: ${thrown.message}` };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal', field: '', message: `unexpected failure in the compute worker: ${message}` };
}
