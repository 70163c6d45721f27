// The import-boundary check: prints each broken arrow with its file and line, and each circle of files. `--self-test`
// shows it broken ones.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFile } from './arrows/check.mjs';
import { findCycles } from './arrows/cycles.mjs';
import { brokenExamples, circles, noCircles, soundExamples } from './arrows/examples.mjs';
import { projectRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { mustRun } from './setup/run-process.mjs';

await runMain(async () => (process.argv.includes('--self-test') ? selfTest() : checkProject()));

async function checkProject() {
  const { stdout } = await mustRun(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', 'cpp', 'web/src', 'tests/cpp'],
    { cwd: projectRoot },
  );
  const files = stdout.trim().split('\n').filter(Boolean);
  const texts = Object.fromEntries(files.map((path) => [path, read(path)]));
  const broken = files.flatMap((path) => checkFile(path, texts[path]));
  for (const { path, line, message } of broken) say(`${path}:${line}: ${message}`);
  const cycles = findCycles(Object.fromEntries(Object.entries(texts).filter(([path]) => /\.tsx?$/.test(path))));
  for (const cycle of cycles) say(`files that need each other: ${cycle.join(' -> ')}`);
  say(`${files.length} files, ${broken.length} broken arrows, ${cycles.length} circles`);
  return broken.length + cycles.length === 0 ? 0 : 1;
}

/** A file that git knows and that was deleted since has no imports. */
function read(path) {
  try {
    return readFileSync(join(projectRoot, path), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

function selfTest() {
  const missed = brokenExamples.filter(([path, text]) => checkFile(path, text).length !== 1);
  const refused = soundExamples.filter(([path, text]) => checkFile(path, text).length !== 0);
  for (const [path, text] of missed) say(`not seen as broken: ${path}: ${text}`);
  for (const [path, text] of refused) say(`seen as broken: ${path}: ${text}`);
  const round = [
    ...circles.filter((files) => findCycles(files).length !== 1),
    ...noCircles.filter((files) => findCycles(files).length !== 0),
  ];
  for (const files of round) say(`circles counted wrongly: ${Object.keys(files).join(', ')}`);
  const wrong = missed.length + refused.length + round.length;
  const examples = brokenExamples.length + circles.length + soundExamples.length + noCircles.length;
  say(`${examples} broken and sound examples, ${wrong} wrong verdicts`);
  return wrong === 0 ? 0 : 1;
}
