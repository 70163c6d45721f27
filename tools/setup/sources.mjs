// The sources of the project: all files that git tracks or would track.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.mjs';
import { mustRun } from './run-process.mjs';

/** Paths from the project's root; `patterns` are folders or patterns of git. */
export async function listSources(...patterns) {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns];
  const { stdout } = await mustRun('git', args, { cwd: projectRoot });
  return stdout.trim().split('\n').filter(Boolean);
}

/** '' for a file that was deleted since git last tracked it. */
export function readSource(path) {
  try {
    return readFileSync(join(projectRoot, path), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
