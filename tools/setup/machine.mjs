// Basic requirements: Node, a C++20 compiler, CMake, git.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupError } from './report.mjs';
import { capture, compareVersions, which } from './run-process.mjs';
import { missingOf } from './system-packages.mjs';

const oldestNode = '20.19';
const oldestCmake = '3.24';

export function checkNode() {
  if (compareVersions(process.versions.node, oldestNode) >= 0) return;
  throw new SetupError(
    `Node ${process.versions.node} is too old: ${oldestNode} or newer is needed`,
    "install a newer Node (nvm install 22, or your distribution's nodejs) and run this again",
  );
}

/** Missing packages for building C++, as a list for installPackages. */
export const missingBuildTools = ({ native }) =>
  missingOf(
    [which('git'), 'git', 'version control'],
    [which('cmake'), 'cmake', 'the build'],
    [which('ninja') || which('make'), 'ninja-build', 'the build'],
    [!native || nativeCompiler(), 'g++', 'a C++20 compiler'],
  );

function nativeCompiler() {
  return process.env.CXX || which('c++') || which('g++') || which('clang++');
}

/** Checks for outdated versions, after missing packages are installed. */
export async function checkBuildTools({ native }) {
  const cmake = await capture('cmake', ['--version']);
  if (compareVersions(cmake.stdout, oldestCmake) < 0) {
    throw new SetupError(
      `${cmake.stdout.split('\n')[0]} is too old: ${oldestCmake} or newer is needed`,
      'install a newer CMake',
    );
  }
  if (!native) return;
  const compiler = nativeCompiler();
  const folder = mkdtempSync(join(tmpdir(), 'conv2d-compiler-'));
  try {
    const source = join(folder, 'probe.cpp');
    writeFileSync(
      source,
      '#include <concepts>\n#include <span>\nint main() { std::span<int> s; return int(s.size()); }\n',
    );
    const { code, output } = await capture(compiler, ['-std=c++20', '-fsyntax-only', source]);
    if (code !== 0) {
      throw new SetupError(
        `${compiler} does not compile C++20:\n  ${output.trim().split('\n')[0]}`,
        'install g++ 12 or clang 16, or set CXX to a newer compiler',
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
