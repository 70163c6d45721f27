// Paths: the folders of the project and the per-user cache that all clones share.

import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const buildRoot = join(projectRoot, 'build');
export const nodeModules = join(projectRoot, 'node_modules');

export function cacheRoot() {
  const { CONV2D_TOOLCHAIN_DIR, XDG_CACHE_HOME } = process.env;
  return CONV2D_TOOLCHAIN_DIR || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'conv2d-playground');
}
