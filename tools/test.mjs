// npm test: runs the suites, prints a line as each ends, then all failures, then the total. `npm test -- --only
// native,web` selects suites. `--thorough` (and CI=true) adds the sanitizers, Arm, all browsers and threads in WebAssembly,
// and draws ten times as many random geometries.

import { cpus } from 'node:os';
import { closingLine, runMain, SetupError, say, seconds, step } from './setup/report.mjs';
import { setUp } from './setup.mjs';
import { buildByName } from './test/builds.mjs';
import { choose } from './test/choose.mjs';
import { schedule } from './test/schedule.mjs';

/** Lines that are printed even if a suite passes: what ran where, what was skipped and why, what passed only the second time. */
const remark = /^(?:instruction sets|skipped|engine|tried again): .*$/gm;

await runMain(async () => {
  const { suites, others, thorough } = choose(process.argv.slice(2));
  const toolchain = await setUp(Object.fromEntries(suites.flatMap(({ needs }) => needs).map((what) => [what, true])));

  const total = { passed: 0, failed: 0 };
  const failures = [];
  await schedule(suites, {
    processors: cpus().length,
    build: (name) => buildByName(name, toolchain),
    run: async (suite, notBuilt) => {
      const started = Date.now();
      const work = (progress) => suite.run({ toolchain, thorough, progress });
      const run = () => step(`running ${suite.name}`, work, { silentEnd: true });
      const { passed, failed, output, failures: text } = await outcome(suite.name, notBuilt, run);
      for (const [line] of output.matchAll(remark)) say(`${suite.name.padEnd(15)} ${line}`);
      const time = notBuilt ? ': the build failed' : ` in ${seconds(Date.now() - started)}`;
      say(`${suite.name.padEnd(15)} ${passed} passed, ${failed} failed${time}`);
      if (failed > 0) failures.push(`\n== ${suite.name}: ${failed} failed\n${text.trim()}\n`);
      total.passed += passed;
      total.failed += failed;
    },
  });
  for (const failure of failures) say(failure);
  if (others.length > 0) say(`not run without --thorough: ${others.join(', ')}`);
  say(closingLine(total));
  return total.failed === 0 ? 0 : 1;
});

/** A suite that does not build, exits with an error without a failed test, or runs no test counts as one failure. */
async function outcome(name, notBuilt, run) {
  try {
    if (notBuilt) throw notBuilt;
    const { code, passed, failed, output, failures } = await run();
    if (failed > 0) return { passed, failed, output, failures };
    if (code !== 0) return { passed, failed: 1, output, failures: `${failures}\n${name} ended with exit code ${code}` };
    if (passed === 0) return { passed, failed: 1, output, failures: `${failures}\n${name} ran no test` };
    return { passed, failed, output, failures };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { passed: 0, failed: 1, output: '', failures: [error.message, error.fix].filter(Boolean).join('\n') };
  }
}
