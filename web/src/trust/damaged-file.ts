/** Whether an import failed because its file is cut: it does not parse, or ends in a name that is cut, too. Browsers cache it. */
export const isDamagedFile = (cause: unknown): boolean =>
  cause instanceof SyntaxError || cause instanceof ReferenceError;
