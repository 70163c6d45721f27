import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { released } from '../released';
import { ROOT, runIn, textOf } from './build';

export interface Project {
  readonly folder: string;
  readonly remove: () => void;
}

/** A project outside this repository, with a copy of the files of a folder and the tarball: that of a release, or of the built modules. */
export async function makeProject(files: string): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'conv2d-project-'));
  cpSync(join(ROOT, files), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const tarball = released('.tgz') ?? (await packed(join(folder, 'tarball')));
  await runIn(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', tarball);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

async function packed(target: string): Promise<string> {
  const printed = await runIn(ROOT, process.execPath, 'tools/pack.mjs', '--built', '--to', target);
  return printed.trim().split('\n').at(-1) ?? '';
}

/** The version that all files must have. */
export const VERSION = (JSON.parse(textOf('package.json')) as { readonly version: string }).version;

/** The output of the example of docs/javascript.md: all ones and a bias of 1, 64 channels and 128 filters. */
export const EXPECTED_OUTPUT: readonly string[] = [
  `y: ${4 * 64 + 1} in the corner, ${9 * 64 + 1} in the middle`,
  `dx: ${4 * 128} in the corner, ${9 * 128} in the middle`,
  'dw: 3 x 3 x 64 x 128',
  'invalid_stride of stride: vertical stride is 0, but must be at least 1',
];
