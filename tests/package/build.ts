import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The build with the installed library. In a release, that of its source archive. */
export const BUILD_FOLDER = process.env['CONV2D_RELEASE_BUILD'] ?? join(ROOT, 'build/native-release');
/** The folder for the projects of the package tests. */
export const WORK_FOLDER = join(ROOT, 'build/package');

/** A file of the project. */
export const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** The output of a program. Fails with the output if the program fails. */
export const run = (command: string, ...args: readonly string[]): Promise<string> => runIn(ROOT, command, ...args);

export async function runIn(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, maxBuffer: 1e8 });
    return stdout;
  } catch (thrown) {
    const { message, stdout = '', stderr = '' } = thrown as Error & { stdout?: string; stderr?: string };
    throw new Error([message, stdout, stderr].join('\n'));
  }
}

/** An entry of the CMake cache of that build. */
export function cmakeCacheEntry(name: string): string {
  const [, value] =
    new RegExp(`^${name}:\\w+=(.*)$`, 'm').exec(readFileSync(join(BUILD_FOLDER, 'CMakeCache.txt'), 'utf8')) ?? [];
  if (value === undefined) throw new Error(`${BUILD_FOLDER} has no ${name}`);
  return value;
}

/** Configures a folder with the compiler and generator of that build. */
export function configure(source: string, build: string, ...definitions: readonly string[]): Promise<string> {
  const same = ['CMAKE_CXX_COMPILER', 'CMAKE_MAKE_PROGRAM'].map((name) => `${name}=${cmakeCacheEntry(name)}`);
  const defined = [...same, ...definitions].map((definition) => `-D${definition}`);
  return run('cmake', '--fresh', '-G', cmakeCacheEntry('CMAKE_GENERATOR'), ...defined, '-S', source, '-B', build);
}

/** Whether a program is on the path. */
export const isInstalled = (name: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
