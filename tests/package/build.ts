import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The build whose library is installed. */
export const BUILT = join(ROOT, 'build/native-release');
/** Where the tests of the package have their folders. */
export const WORK = join(ROOT, 'build/package');

/** A file of the project. */
export const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** What a program printed. Fails with all of it when the program does. */
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

/** An entry of the cache of the build that is installed. */
export function cached(name: string): string {
  const [, value] =
    new RegExp(`^${name}:\\w+=(.*)$`, 'm').exec(readFileSync(join(BUILT, 'CMakeCache.txt'), 'utf8')) ?? [];
  if (value === undefined) throw new Error(`${BUILT} knows no ${name}`);
  return value;
}

/** Configures a folder with the compiler and the generator that have built the library. */
export function configure(source: string, build: string, ...definitions: readonly string[]): Promise<string> {
  const same = ['CMAKE_CXX_COMPILER', 'CMAKE_MAKE_PROGRAM'].map((name) => `${name}=${cached(name)}`);
  const defined = [...same, ...definitions].map((definition) => `-D${definition}`);
  return run('cmake', '--fresh', '-G', cached('CMAKE_GENERATOR'), ...defined, '-S', source, '-B', build);
}

/** Whether a program is there to be run. */
export const has = (name: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
