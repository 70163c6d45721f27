// Output of the tools: one line per long step, one error message with its fix if something is missing.

/** An error that the user can fix; `fix` is the command or action. */
export class SetupError extends Error {
  constructor(message, fix) {
    super(message);
    this.name = 'SetupError';
    this.fix = fix;
  }
}

let output = process.stdout;
let onTerminal = output.isTTY === true;

/** Writes everything to the error stream: standard output is for the results of the command. */
export function reportToStderr() {
  output = process.stderr;
  onTerminal = output.isTTY === true;
}

export function say(line) {
  output.write(onTerminal ? `\r\u001b[K${line}\n` : `${line}\n`);
}

export function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)} MB`;
}

/** The total of a test run, its last line. */
export function closingLine({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}

/** The long steps that are running: title -> { started, text }. */
const running = new Map();
let ticker;
let lastShown = 0;

/** On a terminal, one line that is rewritten in place; in a log, a line each minute. */
function showProgress() {
  const now = Date.now();
  const long = [...running].filter(([, { started }]) => now - started > 2000);
  if (long.length === 0 || (!onTerminal && now - lastShown < 60_000)) return;
  lastShown = now;
  const parts = long.map(([title, { started, text }]) => `${title}${text && `: ${text}`} (${seconds(now - started)})`);
  const line = `  ... ${parts.join('; ')}`;
  output.write(onTerminal ? `\r\u001b[K${line.slice(0, (output.columns || 80) - 1)}` : `${line}\n`);
}

/**
 * Runs a step that may be long. Shows its progress after two seconds, and its duration at the end unless `silentEnd` is
 * set. `work` receives the function that updates the progress text.
 */
export async function step(title, work, { silentEnd = false } = {}) {
  const started = Date.now();
  const entry = { started, text: '' };
  if (running.size === 0) lastShown = started;
  running.set(title, entry);
  ticker ??= setInterval(showProgress, onTerminal ? 200 : 1000);
  try {
    return await work((text) => {
      entry.text = text;
    });
  } finally {
    running.delete(title);
    if (running.size === 0) {
      clearInterval(ticker);
      ticker = undefined;
      if (onTerminal) output.write('\r\u001b[K');
    }
    if (!silentEnd && Date.now() - started > 2000) say(`  ${title}: ${seconds(Date.now() - started)}`);
  }
}

/**
 * Runs the main function of a tool. A SetupError prints its message and sets exit code 1; other errors keep their stack
 * trace.
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? process.exitCode ?? 0;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`\nerror: ${error.message}\n`);
    if (error.fix) process.stderr.write(`  fix: ${error.fix.replaceAll('\n', '\n        ')}\n`);
    process.exitCode = 1;
  }
}
