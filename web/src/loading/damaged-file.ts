/** Whether an import failed because its file is cut: it does not parse, or ends in a name that is cut, too. Browsers cache it. */
export const isDamagedFile = (cause: unknown): boolean =>
  cause instanceof SyntaxError || cause instanceof ReferenceError;

/**
 * What an import must have. A file that is cut between two statements parses and runs, but has no exports: they are at its
 * end.
 */
export function whole<Part>(part: Part | undefined): Part {
  const isModule = Object.prototype.toString.call(part) === '[object Module]';
  if (part === undefined || (isModule && Object.keys(part as object).length === 0))
    throw new SyntaxError('the file is cut');
  return part;
}
