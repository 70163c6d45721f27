// npm test: every suite in order, one line each, and the sum at the end. `npm test -- native-asan web` runs only those.

import { closingLine, runMain, SetupError, say, seconds } from './setup/report.mjs';
import { Suites } from './setup/suites.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const chosen = process.argv.slice(2);
  const unknown = chosen.filter((name) => !Suites.some((suite) => suite.name === name));
  if (unknown.length > 0)
    throw new SetupError(`no suite ${unknown.join(', ')}`, `choose from ${Suites.map(({ name }) => name).join(', ')}`);
  const suites = Suites.filter(({ name }) => chosen.length === 0 || chosen.includes(name));

  const toolchain = await setUp({
    native: suites.some(({ needs }) => needs.includes('native')),
    wasm: suites.some(({ needs }) => needs.includes('wasm')),
    browser: suites.some(({ needs }) => needs.includes('browser')),
  });
  const total = { passed: 0, failed: 0 };
  for (const suite of suites) {
    const started = Date.now();
    const { passed, failed, output } = await outcome(suite, toolchain);
    if (failed > 0) say(output.trimEnd());
    say(`${suite.name.padEnd(15)} ${passed} passed, ${failed} failed in ${seconds(Date.now() - started)}`);
    total.passed += passed;
    total.failed += failed;
  }
  say(closingLine(total));
  return total.failed === 0 ? 0 : 1;
});

/** A suite that does not build, ends with an error without a failed test, or runs no test at all, counts as one failure. */
async function outcome(suite, toolchain) {
  try {
    const { code, passed, failed, output } = await suite.run(toolchain);
    if (failed > 0) return { passed, failed, output };
    if (code !== 0) return { passed, failed: 1, output: `${output}\n${suite.name} ended with exit code ${code}` };
    if (passed === 0) return { passed, failed: 1, output: `${output}\n${suite.name} ran no test` };
    return { passed, failed, output };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { passed: 0, failed: 1, output: [error.message, error.mend].filter(Boolean).join('\n') };
  }
}
