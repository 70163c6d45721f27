// The list of test suites: what each needs, how it runs and how its numbers are read. One entry adds a suite.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { buildModules, buildPreset, buildSite, isWasm } from './cmake-build.mjs';
import { relaxedSimdFlags } from './node-flags.mjs';
import { buildRoot, nodeModules, projectRoot } from './paths.mjs';
import { capture } from './run-process.mjs';

/** Command line of a program that CMake built for a preset: the program itself, or Node with its JavaScript. */
export function programOf(preset, name) {
  const file = join(buildRoot, preset, name);
  if (!isWasm(preset)) return [file];
  return [process.execPath, ...(preset === 'wasm-relaxed' ? relaxedSimdFlags() : []), `${file}.js`];
}

function reportFile(name) {
  const folder = join(buildRoot, 'reports');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  rmSync(file, { force: true });
  return file;
}

function catch2(preset) {
  return {
    name: preset,
    needs: [isWasm(preset) ? 'wasm' : 'native'],
    async run(toolchain) {
      await buildPreset(preset, toolchain);
      const report = reportFile(`${preset}.xml`);
      const [command, ...args] = programOf(preset, 'conv2d_tests');
      const { code, output } = await capture(
        command,
        [...args, '--reporter', 'console::out=-', '--reporter', `xml::out=${report}`],
        { cwd: projectRoot },
      );
      const xml = existsSync(report) ? readFileSync(report, 'utf8') : '';
      // Missing when the program died half-way; its exit code says so.
      const [, passed = 0, failed = 0] = /<OverallResultsCases successes="(\d+)" failures="(\d+)"/.exec(xml) ?? [];
      return { code, passed: Number(passed), failed: Number(failed), output };
    },
  };
}

function vitest(project, needs, prepare) {
  return {
    name: project,
    needs,
    async run(toolchain) {
      await buildModules(toolchain);
      await prepare?.();
      const report = reportFile(`${project}.json`);
      const args = [
        'run',
        '--config',
        'tests/vitest.config.ts',
        '--project',
        project,
        '--reporter',
        'default',
        '--reporter',
        'json',
        `--outputFile.json=${report}`,
      ];
      const { code, output } = await capture(process.execPath, [join(nodeModules, 'vitest/vitest.mjs'), ...args], {
        cwd: projectRoot,
        env: { ...process.env, CHROME_PATH: findBrowser() ?? '', NO_COLOR: '1' },
      });
      const { numPassedTests = 0, numFailedTests = 0 } = existsSync(report)
        ? JSON.parse(readFileSync(report, 'utf8'))
        : {};
      return { code, passed: numPassedTests, failed: numFailedTests, output };
    },
  };
}

export const Suites = [
  catch2('native-release'),
  catch2('native-asan'),
  catch2('wasm-simd'),
  catch2('wasm-relaxed'),
  vitest('web', ['wasm']),
  vitest('e2e', ['wasm', 'browser'], buildSite),
];
