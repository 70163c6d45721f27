/** Processor time of this process in ms, which does not depend on other processes. */
function now(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Processor time, ms, that only a hang takes: some ten times what a slow machine needs for the longest input.
 * Work that grows with the square of an input takes minutes.
 */
export const HANG = 5000;

/** The result of the first run, and the minimum processor time, ms: of three runs if the first was slow. */
export async function timed<Result>(
  work: () => Result | Promise<Result>,
): Promise<{ readonly result: Result; readonly milliseconds: number }> {
  const start = now();
  const result = await work();
  let milliseconds = now() - start;
  for (let attempt = 1; attempt < 3 && milliseconds > HANG / 5; attempt += 1) {
    const again = now();
    await work();
    milliseconds = Math.min(milliseconds, now() - again);
  }
  return { result, milliseconds };
}
