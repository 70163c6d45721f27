/** Processor time of this process in ms, which does not depend on other processes. */
export function now(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
