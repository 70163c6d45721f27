// npm test: runs the suites, prints a line as each ends, then all failures, then the total. `npm test -- --only
// native,web` selects suites, and `--only e2e learn` the tests of a suite with that word in their file (in C++: in their name).
// CI=true adds the sanitizers, Arm, all browsers and threads in WebAssembly. `--thorough` adds all C++ tests in WebAssembly, too,
// repeats more, and takes all combinations in place of some.

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { buildDocs } from './docs/build.mjs';
import { buildModules, buildPreset, buildSingleFile, buildSite } from './setup/cmake-build.mjs';
import { closingLine, runMain, SetupError, say, seconds, step } from './setup/report.mjs';
import { setUp } from './setup.mjs';
import { schedule } from './test/schedule.mjs';
import { Suites } from './test/suites.mjs';

const names = Suites.map(({ name }) => name);
const groups = [...new Set(Suites.flatMap((suite) => suite.groups))];

const target =
  (preset, ...targets) =>
  (toolchain, options) =>
    buildPreset(preset, toolchain, { ...options, targets });

/** Builds that are no preset, or not all targets of one. */
const named = {
  modules: buildModules,
  site: buildSite,
  single: buildSingleFile,
  docs: () => buildDocs(),
  // These presets need no other target.
  'native-arm': target('native-arm', 'conv2d_library_tests'),
  'native-tsan': target('native-tsan', 'conv2d_threads_tests'),
  'wasm-passes': target('wasm-simd', 'conv2d_pass_tests', 'conv2d_pass_tests_relaxed'),
  'wasm-simd': target('wasm-simd', 'conv2d_tests'),
  'wasm-threads': target('wasm-threads', 'conv2d_pass_tests'),
};

/** Lines that are printed even if a suite passes: what ran where, what was skipped and why. */
const remark = /^(?:instruction sets|skipped|engine|conditions): .*$/gm;

await runMain(async () => {
  const { suites, words, others, thorough } = choose(process.argv.slice(2));
  const toolchain = await setUp(Object.fromEntries(suites.flatMap(({ needs }) => needs).map((what) => [what, true])));

  const total = { passed: 0, failed: 0 };
  const failures = [];
  await schedule(suites, {
    processors: cpus().length,
    build: (name) => buildByName(name, toolchain),
    run: async (suite, notBuilt) => {
      const started = Date.now();
      const work = (progress) => suite.run({ toolchain, thorough, words, progress });
      const run = () => step(`running ${suite.name}`, work, { silentEnd: true });
      const { passed, failed, output, failures: text } = await outcome(suite.name, words, notBuilt, run);
      for (const [line] of output.matchAll(remark)) say(`${suite.name.padEnd(15)} ${line}`);
      const time = notBuilt ? ': the build failed' : ` in ${seconds(Date.now() - started)}`;
      say(`${suite.name.padEnd(15)} ${passed} passed, ${failed} failed${time}`);
      if (failed > 0) failures.push(`\n== ${suite.name}: ${failed} failed\n${text.trim()}\n`);
      total.passed += passed;
      total.failed += failed;
    },
  });
  for (const failure of failures) say(failure);
  if (others.length > 0) say(`not run: ${others.join(', ')} (npm test -- --thorough runs them)`);
  if (total.passed + total.failed === 0) say(`no test has ${words.join(' or ')} in its name`);
  say(closingLine(total));
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
});

/** A suite that does not build, exits with an error without a failed test, or runs no test counts as one failure. */
async function outcome(name, words, notBuilt, run) {
  try {
    if (notBuilt) throw notBuilt;
    const { code, passed, failed, output, failures } = await run();
    if (failed > 0) return { passed, failed, output, failures };
    if (code !== 0) return { passed, failed: 1, output, failures: `${failures}\n${name} ended with exit code ${code}` };
    if (passed === 0 && words.length === 0)
      return { passed, failed: 1, output, failures: `${failures}\n${name} ran no test` };
    return { passed, failed, output, failures };
  } catch (error) {
    // A fault of the tools must not hide what the other suites found.
    const told = error instanceof SetupError ? [error.message, error.fix] : [error.stack];
    return { passed: 0, failed: 1, output: '', failures: told.filter(Boolean).join('\n') };
  }
}

/**
 * Returns { suites, words, others, thorough }; `others` do not run. Names and groups can be mixed, separated by commas
 * or spaces. Other words select tests of these suites.
 */
function choose(args) {
  const { values, positionals } = parseCommandLine(args);
  const wanted = [...(values.only ?? []), ...positionals].flatMap((text) => text.split(',')).filter(Boolean);
  const words = wanted.filter((word) => !names.includes(word) && !groups.includes(word));
  if (words.length > 0 && words.length === wanted.length) throw new SetupError(`no suite ${words.join(', ')}`, usage());
  const isWanted = ({ name, groups: of }) => wanted.includes(name) || of.some((group) => wanted.includes(group));
  const thorough = values.thorough ?? false;
  const isDue = ({ when }) => thorough || when === undefined || (when === 'ci' && process.env.CI === 'true');
  const chosen = Suites.filter(wanted.length === 0 ? isDue : isWanted);
  const unmatched = words.filter((word) => !chosen.some((suite) => suite.matches(word)));
  if (unmatched.length > 0) {
    const of = chosen.map(({ name }) => name).join(', ');
    throw new SetupError(`no test of ${of} has ${unmatched.join(' or ')} in its name`, usage());
  }
  const suites = chosen.filter((suite) => words.length === 0 || words.some((word) => suite.matches(word)));
  const others = wanted.length === 0 ? Suites.filter((suite) => !isDue(suite)).map(({ name }) => name) : [];
  return { suites, words, others, thorough };
}

function parseCommandLine(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { only: { type: 'string', multiple: true }, thorough: { type: 'boolean' } },
    });
  } catch (error) {
    throw new SetupError(error.message, usage());
  }
}

function usage() {
  return `npm test -- [--thorough] [--only NAME,... [WORD ...]]\nsuites: ${names.join(', ')}\ngroups: ${groups.join(', ')}`;
}

/** At low priority: suites run at the same time. */
function buildByName(name, toolchain) {
  const options = { background: true };
  return named[name] ? named[name](toolchain, options) : buildPreset(name, toolchain, options);
}
