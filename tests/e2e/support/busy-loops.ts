import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { CONDITIONS, IS_BUSY } from './conditions';

/** Keeps each processor busy while the tests run, and ends with them. */
export default function startLoops(): (() => void) | undefined {
  if (CONDITIONS) process.stdout.write(`conditions: ${CONDITIONS}\n`);
  if (!IS_BUSY) return undefined;
  // A loop ends by itself if the tests are killed.
  const loop = `const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e8; i += 1);`;
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', loop], { stdio: 'ignore' }),
  );
  return () => {
    for (const each of loops) each.kill();
  };
}
