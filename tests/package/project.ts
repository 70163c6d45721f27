import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, runIn, textOf } from './build';

export interface Project {
  readonly folder: string;
  readonly remove: () => void;
}

/**
 * A project with a copy of a folder's files and the tarball of the modules that are built, where nothing of this one is to be
 * found.
 */
export async function makeProject(files: string): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'conv2d-project-'));
  cpSync(join(ROOT, files), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const printed = await runIn(ROOT, process.execPath, 'tools/pack.mjs', '--built', '--to', join(folder, 'tarball'));
  const tarball = printed.trim().split('\n').at(-1) ?? '';
  await runIn(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', tarball);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The version that stands everywhere. */
export const VERSION = (JSON.parse(textOf('package.json')) as { readonly version: string }).version;
