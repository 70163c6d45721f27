import { run } from './run';

// A reader such as `head` may end before the output does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  // 1 would say that a result is wrong.
  return 2;
});
