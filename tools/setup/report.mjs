// How the tools speak: one line per long step, one clear message with its remedy when something cannot be had.

/** A condition that the person at the keyboard can mend; `mend` is the command or action that does it. */
export class SetupError extends Error {
  constructor(message, mend) {
    super(message);
    this.name = 'SetupError';
    this.mend = mend;
  }
}

export function say(line) {
  process.stdout.write(`${line}\n`);
}

export function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)} MB`;
}

/** The sum of a test run, as its last line. */
export function closingLine({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}

/**
 * Runs a step that may be long: announces it when it is not done within two seconds, shows how far it is, says how long it
 * took. `work` receives the function that shows how far: on a terminal the line is rewritten in place, in a log a line is
 * added at most every five seconds.
 */
export async function step(title, work) {
  const onTerminal = process.stdout.isTTY === true;
  const started = Date.now();
  let announced = false;
  let lastShown = started;
  const announce = setTimeout(() => {
    announced = true;
    say(`- ${title} ...`);
  }, 2000);
  const progress = (text) => {
    const now = Date.now();
    if (!announced || now - lastShown < (onTerminal ? 200 : 5000)) return;
    lastShown = now;
    const line = `  ${title}: ${text} (${seconds(now - started)})`;
    process.stdout.write(onTerminal ? `\r\u001b[K${line}` : `${line}\n`);
  };
  try {
    return await work(progress);
  } finally {
    clearTimeout(announce);
    if (announced && onTerminal) process.stdout.write('\r\u001b[K');
    if (announced) say(`  ${title}: ${seconds(Date.now() - started)}`);
  }
}

/** Runs a tool's main function; a SetupError becomes its message and exit code 1, anything else keeps its stack trace. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? process.exitCode ?? 0;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`\nerror: ${error.message}\n`);
    if (error.mend) process.stderr.write(`  mend: ${error.mend.replaceAll('\n', '\n        ')}\n`);
    process.exitCode = 1;
  }
}
