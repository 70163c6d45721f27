// ccache, where it is installed: a build in another folder then takes its objects from the cache.

import { join } from 'node:path';
import { cacheRoot, projectRoot } from './paths.mjs';
import { capture, which } from './run-process.mjs';
import { hasApt, isRoot, osRelease } from './system-packages.mjs';

/** Missing packages, as a list for installPackages. Empty where they cannot be installed: builds work without. */
export function missingCompilerCache() {
  if (which('ccache') || !hasApt() || !isRoot() || osRelease().ID !== 'debian') return [];
  return [{ name: 'ccache', reason: 'builds again in seconds' }];
}

/**
 * The environment variables that make CMake compile with ccache: empty without it, or if the user has a launcher of
 * their own. `emscripten` is the folder of the WebAssembly compiler and `env` its environment, if a preset uses it.
 * Settings of the user's environment take precedence.
 */
export async function compilerCache({ emscripten, env = process.env } = {}) {
  if (!which('ccache') || process.env.CMAKE_CXX_COMPILER_LAUNCHER) return {};
  const settings = {
    // Named like ccache: clangd and clang-tidy then know that the compiler comes after it.
    CMAKE_CXX_COMPILER_LAUNCHER: join(projectRoot, 'tools/setup/ccache'),
    CCACHE_DIR: join(cacheRoot(), 'ccache'),
    CCACHE_MAXSIZE: '2G',
    // Paths in the project are relative to the build folder, so that all clones have the same.
    CCACHE_BASEDIR: projectRoot,
    CCACHE_NOHASHDIR: 'yes',
    CCACHE_ABSSTDERR: 'yes',
    // Reads the list of headers that the compiler writes, in place of preprocessing each source first.
    CCACHE_DEPEND: 'yes',
    CCACHE_PCH_EXTSUM: 'yes',
    CCACHE_SLOPPINESS: 'pch_defines,time_macros,include_file_mtime,include_file_ctime',
    ...(emscripten && { CCACHE_COMPILERTYPE: 'clang', CCACHE_COMPILERCHECK: await versions(emscripten, env) }),
  };
  return { ...settings, ...pick(process.env, Object.keys(settings)) };
}

const pick = (from, names) => Object.fromEntries(names.filter((name) => from[name]).map((name) => [name, from[name]]));

const known = new Map();

/** em++ is a script in front of Clang, which can be updated alone: the versions of both. */
function versions(root, env) {
  if (!known.has(root)) {
    const printed = capture(join(root, 'em++'), ['-v'], { env });
    known.set(
      root,
      printed.then(({ output }) => `string:${output.replace(/\s+/g, ' ')}`),
    );
  }
  return known.get(root);
}
