// The import-boundary check: prints each broken arrow with its file and line. `--self-test` shows it broken ones.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFile } from './arrows/check.mjs';
import { brokenExamples, soundExamples } from './arrows/examples.mjs';
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
  const broken = files.flatMap((path) => checkFile(path, read(path)));
  for (const { path, line, message } of broken) say(`${path}:${line}: ${message}`);
  say(`${files.length} files, ${broken.length} broken arrows`);
  return broken.length === 0 ? 0 : 1;
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
  say(
    `${brokenExamples.length} broken and ${soundExamples.length} sound examples, ${missed.length + refused.length} wrong verdicts`,
  );
  return missed.length + refused.length === 0 ? 0 : 1;
}
