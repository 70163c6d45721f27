/** Milliseconds of the processor that this process has had: how busy the machine is otherwise adds nothing. */
export function now(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
