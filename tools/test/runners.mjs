// How the kinds of suites run and how their numbers are read.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findHeadless } from '../setup/browser.mjs';
import { isWasm } from '../setup/cmake-build.mjs';
import { relaxedSimdFlags } from '../setup/node-flags.mjs';
import { buildRoot, nodeModules, projectRoot } from '../setup/paths.mjs';
import { capture } from '../setup/run-process.mjs';

/**
 * Command line of a program that CMake built for a preset: the program itself, or Node with its JavaScript. The relaxed
 * variant's programs are linked in wasm-simd's build, from the same objects.
 */
export function programOf(preset, name) {
  if (!isWasm(preset)) return [join(buildRoot, preset, name)];
  const relaxed = preset === 'wasm-relaxed';
  const file = join(buildRoot, 'wasm-simd', `${name}${relaxed ? '_relaxed' : ''}.js`);
  return [process.execPath, ...(relaxed ? relaxedSimdFlags() : []), file];
}

function reportFile(name) {
  const folder = join(buildRoot, 'reports');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  rmSync(file, { force: true });
  return file;
}

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** How many random problems every property draws: 2,000, or more when asked to be thorough; an explicit wish wins. */
const propertyRuns = (thorough, most) => ({
  CONV2D_PROPERTY_RUNS: String(thorough ? most : 2000),
  ...process.env,
});

/**
 * A preset's Catch2 program. `command` replaces the program's own command line where it needs another one to run it, an
 * emulator say; `env` is added to its environment; `draws` are a property's when asked to be thorough.
 */
export function catch2(
  preset,
  { name = preset, command = () => programOf(preset, 'conv2d_tests'), env, draws = 20_000, ...entry } = {},
) {
  return {
    name,
    groups: [],
    needs: [isWasm(preset) ? 'wasm' : 'native'],
    builds: [preset],
    processors: 1,
    ...entry,
    async run({ thorough, progress }) {
      const report = reportFile(`${name}.xml`);
      const watch = setInterval(() => {
        const begun = readIfThere(report).match(/<TestCase name="[^"]*"/g) ?? [];
        if (begun.length > 0) progress(`test case ${begun.length}, ${/"([^"]*)"/.exec(begun.at(-1))[1]}`);
      }, 1000);
      const [program, ...args] = command();
      const reporters = ['--reporter', 'console::out=-', '--reporter', `xml::out=${report}`];
      const { code, output } = await capture(program, [...args, ...reporters], {
        cwd: projectRoot,
        env: { ...propertyRuns(thorough, draws), ...env },
      }).finally(() => clearInterval(watch));
      // Missing when the program died half-way; its exit code says so.
      const [, passed = 0, failed = 0] =
        /<OverallResultsCases successes="(\d+)" failures="(\d+)"/.exec(readIfThere(report)) ?? [];
      // Catch2's console reporter shows failures only.
      return { code, passed: Number(passed), failed: Number(failed), output, failures: output };
    },
  };
}

/** Without the lines of vitest's own machinery. */
const ownTrace = (message) => message.replace(/^ {4}at .*(?:\/node_modules\/|node:internal|<anonymous>).*\n?/gm, '');

/** What vitest's JSON report says of the tests that failed, and of the files that could not be loaded. */
function vitestFailures({ testResults = [] }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(projectRoot, name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [`${file}\n${message}`];
      return failed.map(
        ({ fullName, failureMessages }) => `${file} > ${fullName}\n${failureMessages.map(ownTrace).join('\n')}`,
      );
    })
    .join('\n\n');
}

/** Projects of tests/vitest.config.ts. `env` is asked for what is added to their environment when they run. */
export function vitest(name, { projects = [name], env = () => ({}), ...entry } = {}) {
  return {
    name,
    groups: [],
    needs: [],
    builds: [],
    processors: 1,
    ...entry,
    async run({ thorough, progress }) {
      const report = reportFile(`${name}.json`);
      const config = ['--config', 'tests/vitest.config.ts', ...projects.flatMap((project) => ['--project', project])];
      const reporters = ['--reporter', 'default', '--reporter', 'json', `--outputFile.json=${report}`];
      let files = 0;
      const { code, output } = await capture(
        process.execPath,
        [join(nodeModules, 'vitest/vitest.mjs'), 'run', ...config, ...reporters],
        {
          cwd: projectRoot,
          env: {
            ...process.env,
            CHROME_PATH: findHeadless() ?? '',
            NO_COLOR: '1',
            CONV2D_THOROUGH: thorough ? 'yes' : 'no',
            ...env(),
          },
          onOutput: (text) => {
            files += text.match(/^ [✓❯×] .*\(\d+ tests?/gm)?.length ?? 0;
            progress(`${files} files done`);
          },
        },
      );
      const found = JSON.parse(readIfThere(report) || '{}');
      const { numPassedTests = 0, numFailedTests = 0 } = found;
      const failures = vitestFailures(found) || output;
      return { code, passed: numPassedTests, failed: numFailedTests, output, failures };
    },
  };
}
