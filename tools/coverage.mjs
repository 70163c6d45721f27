// npm run coverage: line coverage of cpp/src by the native tests, per file, with the lines that did not run. Exit code
// 1 below 95 %.

import { readdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { buildPreset } from './setup/cmake-build.mjs';
import { buildRoot, projectRoot } from './setup/paths.mjs';
import { runMain, SetupError, say } from './setup/report.mjs';
import { capture, mustRun } from './setup/run-process.mjs';
import { setUp } from './setup.mjs';

const Floor = 95;
const Preset = 'native-coverage';
const Sources = join(projectRoot, 'cpp', 'src');

function filesBelow(folder, extension) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name));
}

/** Adds the counts that gcov read from one object to `files`: file -> line -> times run. */
function addCounts(text, files) {
  for (const json of text.split('\n').filter((line) => line.startsWith('{'))) {
    const report = JSON.parse(json);
    for (const { file, lines } of report.files) {
      const path = resolve(report.current_working_directory, file);
      if (!path.startsWith(`${Sources}/`)) continue;
      const counts = files.get(path) ?? new Map();
      files.set(path, counts);
      // A line of a template is in many objects and instantiations; it ran if it ran in one.
      for (const { line_number, count } of lines)
        counts.set(line_number, Math.max(counts.get(line_number) ?? 0, count));
    }
  }
}

/** [3, 4, 5, 9] -> "3-5, 9" */
function ranges(numbers) {
  const parts = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

await runMain(async () => {
  const toolchain = await setUp({ native: true });
  process.env.CXX ??= 'g++';
  await buildPreset(Preset, toolchain, { targets: ['conv2d_tests'] });
  const folder = join(buildRoot, Preset);
  for (const old of filesBelow(folder, '.gcda')) rmSync(old);
  const tests = await capture(join(folder, 'conv2d_tests'), [], {
    cwd: projectRoot,
    env: { CONV2D_PROPERTY_RUNS: '500', ...process.env },
  });
  // Failing tests do not fail the coverage; npm test reports them.
  if (tests.code !== 0) say('note: some tests failed, see npm test');

  const files = new Map();
  const counters = filesBelow(join(folder, 'cpp'), '.gcda');
  if (counters.length === 0) throw new SetupError('the tests left no counters', 'CXX=g++ npm run coverage');
  for (const counter of counters) {
    const { stdout } = await mustRun('gcov', ['--json-format', '--stdout', counter], { cwd: folder });
    addCounts(stdout, files);
  }

  let total = 0;
  let covered = 0;
  for (const [path, counts] of [...files].sort()) {
    const missed = [...counts].filter(([, count]) => count === 0).map(([line]) => line);
    total += counts.size;
    covered += counts.size - missed.length;
    const percent = ((100 * (counts.size - missed.length)) / counts.size).toFixed(1);
    const lines = missed.length > 0 ? `  not run: ${ranges(missed.sort((a, b) => a - b))}` : '';
    say(`${percent.padStart(6)} %  ${relative(projectRoot, path)}${lines}`);
  }
  const percent = (100 * covered) / total;
  say(`line coverage of cpp/src by the native tests: ${percent.toFixed(2)} % (${covered} of ${total} lines)`);
  return percent >= Floor ? 0 : 1;
});
