// Runs each kind of suite and reads its results.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isWasm } from '../setup/cmake-build.mjs';
import { relaxedSimdFlags } from '../setup/node-flags.mjs';
import { buildRoot, nodeModules, projectRoot } from '../setup/paths.mjs';
import { capture } from '../setup/run-process.mjs';
import { caseNamed, fileNamed } from './filters.mjs';

/**
 * The command line of a program of a preset: the program itself, or Node with its JavaScript. Programs of the relaxed
 * variant are linked in the build of wasm-simd, from the same objects.
 */
export function programOf(preset, name) {
  if (!isWasm(preset)) return [join(buildRoot, preset, name)];
  const flags = preset === 'wasm-simd' ? [] : relaxedSimdFlags();
  const program = preset === 'wasm-relaxed' ? `wasm-simd/${name}_relaxed.js` : `${preset}/${name}.js`;
  return [process.execPath, ...flags, join(buildRoot, program)];
}

/**
 * ThreadSanitizer of GCC 12 fails before main() with more than 28 bits of address randomization: "unexpected memory
 * mapping".
 */
export function withFixedAddresses(command) {
  return Number(readIfThere('/proc/sys/vm/mmap_rnd_bits')) > 28 ? ['setarch', '-R', ...command] : command;
}

function reportFile(name) {
  const folder = join(buildRoot, 'reports');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  rmSync(file, { force: true });
  return file;
}

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** The number of random problems per property. An environment variable takes precedence. */
const propertyRuns = (count) => ({ CONV2D_PROPERTY_RUNS: String(count), ...process.env });

/**
 * The Catch2 program of a preset. `command` replaces its command line, for example to run it in an emulator. `env` is
 * added to its environment. `draws` are the numbers of random problems per property, and `without` are the tags of cases that
 * do not run.
 */
export function catch2(
  preset,
  {
    name = preset,
    command = () => programOf(preset, 'conv2d_tests'),
    env,
    draws = { usual: 2000, thorough: 10_000 },
    without = '',
    ...entry
  } = {},
) {
  return {
    name,
    groups: [],
    needs: [isWasm(preset) ? 'wasm' : 'native'],
    builds: [preset],
    processors: 1,
    matches: caseNamed,
    ...entry,
    async run({ thorough, words, progress }) {
      const report = reportFile(`${name}.xml`);
      const watch = setInterval(() => {
        const begun = readIfThere(report).match(/<TestCase name="[^"]*"/g) ?? [];
        if (begun.length > 0) progress(`test case ${begun.length}, ${/"([^"]*)"/.exec(begun.at(-1))[1]}`);
      }, 1000);
      const [program, ...args] = command();
      const reporters = ['--reporter', 'console::out=-', '--reporter', `xml::out=${report}`];
      const wanted = words.length > 0 ? words.map((word) => specOf(word) + without).join() : without;
      const chosen = [...(wanted ? [wanted] : []), ...(words.length > 0 ? ['--allow-running-no-tests'] : [])];
      const { code, output } = await capture(program, [...args, ...chosen, ...reporters], {
        cwd: projectRoot,
        env: { ...propertyRuns(thorough ? draws.thorough : draws.usual), ...env },
      }).finally(() => clearInterval(watch));
      // Missing if the program crashed; its exit code tells.
      const [, passed = 0, failed = 0] =
        /<OverallResultsCases successes="(\d+)" failures="(\d+)"/.exec(readIfThere(report)) ?? [];
      // The console reporter of Catch2 prints failures only.
      return { code, passed: Number(passed), failed: Number(failed), output, failures: output };
    },
  };
}

/** The test specification of Catch2 for a word: a tag, or a part of a name. */
const specOf = (word) => (word.startsWith('[') ? word : `"*${word}*"`);

/** Removes stack frames of vitest and Node. */
const ownTrace = (message) => message.replace(/^ {4}at .*(?:\/node_modules\/|node:internal|<anonymous>).*\n?/gm, '');

/** The failed tests and the files that failed to load, from the JSON report of vitest. */
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

/** Projects of tests/vitest.config.ts, which finds the browsers. */
export function vitest(name, { projects = [name], ...entry } = {}) {
  return {
    name,
    groups: [],
    needs: [],
    builds: [],
    processors: 1,
    matches: (word) => fileNamed(`tests/${name}`, word),
    ...entry,
    async run({ thorough, words, progress }) {
      const report = reportFile(`${name}.json`);
      const config = ['--config', 'tests/vitest.config.ts', ...projects.flatMap((project) => ['--project', project])];
      const reporters = ['--reporter', 'default', '--reporter', 'json', `--outputFile.json=${report}`];
      let files = 0;
      const { code, output } = await capture(
        process.execPath,
        [join(nodeModules, 'vitest/vitest.mjs'), 'run', ...config, ...reporters, ...words],
        {
          cwd: projectRoot,
          env: {
            ...process.env,
            NO_COLOR: '1',
            CONV2D_THOROUGH: thorough ? 'yes' : 'no',
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
