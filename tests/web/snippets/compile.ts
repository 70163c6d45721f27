import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A C++ compiler, or null. */
export const cppCompiler = (): string | null =>
  [process.env['CXX'] ?? 'c++', 'clang++-19', 'clang++', 'g++'].find(
    (name) => spawnSync(name, ['--version']).status === 0,
  ) ?? null;

/** The exit codes of the programs, compiled as one with common warnings. `flags`: others, such as a library. */
export function returnedBy(
  compiler: string,
  programs: readonly string[],
  flags: readonly string[] = ['-std=c++17'],
): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), 'conv2d-programs-'));
  try {
    const headers = new Set(programs.flatMap((text) => text.match(/^#include .*$/gm) ?? []));
    const parts = programs.map(
      (text, at) => `namespace p${at} {\n${text.replace(/^#include .*\n/gm, '').replace('int main()', 'int run()')}\n}`,
    );
    const calls = programs.map((_, at) => `std::printf("returned %d\\n", p${at}::run());`);
    const file = join(folder, 'programs.cpp');
    writeFileSync(file, [...headers, ...parts, `int main() {\n${calls.join('\n')}\n}`].join('\n'));
    const all = ['-O0', '-Wall', '-Wextra', '-Werror', file, ...flags, '-o', join(folder, 'programs')];
    const { status, stderr } = spawnSync(compiler, all, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const { stdout } = spawnSync(join(folder, 'programs'), { encoding: 'utf8' });
    return [...stdout.matchAll(/^returned (\d)$/gm)].map(([, digit]) => Number(digit));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
