// Words that select single tests of a suite.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../setup/paths.mjs';

const filesBelow = (folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true }).map((name) => join(folder, name));

/** Whether a test file of a folder has the word in its path. */
export function fileNamed(folder, word) {
  const files = filesBelow(folder).filter((path) => /\.test\.tsx?$/.test(path));
  return files.some((path) => path.toLowerCase().includes(word.toLowerCase()));
}

let titles;

/** Whether a C++ test has the word in its name or tags. */
export function caseNamed(word) {
  titles ??= filesBelow('tests/cpp')
    .filter((path) => path.endsWith('.cpp'))
    .flatMap((path) => readFileSync(join(projectRoot, path), 'utf8').match(/\bTEST_CASE\w*\([^)]*\)/g) ?? [])
    .map((title) => title.toLowerCase());
  return titles.some((title) => title.includes(word.toLowerCase()));
}
