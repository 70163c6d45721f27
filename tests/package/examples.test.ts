// The examples in C++ and C with the installed library, and what CONV2D_VERBOSE prints of their plans. Those in Python and
// JavaScript run in python.test.ts and javascript.test.ts.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUILD_FOLDER, configure, isInstalled, ROOT, run, textOf, WORK_FOLDER } from './build';

const INSTALLED = join(WORK_FOLDER, 'installed-examples');
const built = (language: string): string => join(WORK_FOLDER, `examples-${language}`);

beforeAll(async () => {
  rmSync(INSTALLED, { recursive: true, force: true });
  await run('cmake', '--install', BUILD_FOLDER, '--prefix', INSTALLED);
  for (const language of isInstalled('cc') ? ['cpp', 'c'] : ['cpp']) {
    await configure(join(ROOT, 'examples', language), built(language), `CMAKE_PREFIX_PATH=${INSTALLED}`);
    await run('cmake', '--build', built(language));
  }
}, 600_000);

it('have less than 60 lines each', () => {
  const programs = ['cpp', 'c', 'python', 'javascript', 'test-a-kernel'].flatMap((folder) =>
    readdirSync(join(ROOT, 'examples', folder)).map((name) => `examples/${folder}/${name}`),
  );
  expect(programs.length).toBeGreaterThan(10);
  expect(programs.filter((file) => textOf(file).split('\n').length > 60)).toEqual([]);
});

describe('the examples in C++', () => {
  it('infer with packed weights', async () => {
    const tap = 64;
    expect((await run(join(built('cpp'), 'packed_inference'))).trim().split('\n')).toEqual([
      `x = 1: y is ${4 * tap + 1} in the corner, ${9 * tap + 1} in the middle`,
      `x = 2: y is ${2 * 4 * tap + 1} in the corner, ${2 * 9 * tap + 1} in the middle`,
      'x = -1: y is 0 in the corner, 0 in the middle',
    ]);
  });

  it('train with gradients that add up', async () => {
    const printed = await run(join(built('cpp'), 'training_step'));
    const losses = [...printed.matchAll(/^step +\d+: loss (\S+)$/gm)].map(([, loss]) => Number(loss));
    expect(losses).toHaveLength(5);
    expect(losses).toEqual([...losses].sort((a, b) => b - a));
    expect(losses[0]).toBeGreaterThan(1);
    expect(printed).toMatch(/\nfound weights: -?0\.00 1\.00 2\.00\n$/);
  });

  // A compiler without OpenMP does not build it.
  it.runIf(existsSync('/usr/lib/gcc'))('compute with threads of OpenMP', async () => {
    expect(await run(join(built('cpp'), 'openmp_team'))).toMatch(
      /^a team of 1: the plan uses 1\na team of 4: the plan uses [1-4]\nthe results have the same bits\n$/,
    );
  });
});

it.runIf(isInstalled('cc'))('the example in C prints gradients that one can check by hand', async () => {
  expect(await run(join(built('c'), 'gradients'))).toBe('y  37 47 67 77\ndx 1 2 0 3 5 2 0 3 4\ndw 6 8 12 14\n');
});

describe('CONV2D_VERBOSE', () => {
  /** The error stream of a program. */
  const errors = (program: string, ...environment: readonly string[]): Promise<string> =>
    run('env', '-u', 'CONV2D_VERBOSE', ...environment, 'sh', '-c', `"${program}" 2>&1 >/dev/null`);
  const inference = join(built('cpp'), 'packed_inference');

  /** The parts of the only line. */
  async function parts(program: string, ...environment: readonly string[]): Promise<readonly string[]> {
    const lines = (await errors(program, 'CONV2D_VERBOSE=1', ...environment)).split('\n');
    expect(lines).toHaveLength(2);
    return (lines[0] ?? '').split(' | ');
  }

  it('prints sizes, choice, threads, time and the other algorithms of a plan in one line', async () => {
    const [pass, sizes, choice, ...others] = await parts(inference);
    expect([pass, sizes]).toEqual([
      'conv2d: forward',
      'x 1x28x28x64 nhwc, w 3x3x64x128 hwio, y 1x28x28x128, stride 1,1, dilation 1,1, padding 1,1,1,1, groups 1',
    ]);
    const [, chosen = '', time] =
      /^(\w+), \w+, threads 1 of 1, ([\d.e-]+) ms estimated at 3 GHz$/.exec(choice ?? '') ?? [];
    expect(Number(time)).toBeGreaterThan(0);
    const names = ['direct', 'im2col_gemm', 'implicit_gemm', 'depthwise', 'reference'].filter(
      (name) => name !== chosen,
    );
    for (const name of names) expect(others.map((other) => other.split(':')[0])).toContain(name);
    expect(others.map((other) => other.split(':')[0])).not.toContain(chosen);
    expect(others).toContainEqual(expect.stringContaining('depthwise: every filter reads 64 channels'));
    // A plan takes the lowest estimate.
    const times = others.flatMap((other) => /: (\S+) times the time$/.exec(other)?.[1] ?? []);
    expect(times.length).toBeGreaterThan(3);
    expect(times.filter((factor) => !(Number(factor) >= 1))).toEqual([]);
  });

  it.runIf(process.arch === 'x64')('prints the instruction set that was asked for', async () => {
    expect((await parts(inference, 'CONV2D_INSTRUCTION_SET=sse2'))[2]).toMatch(/^\w+, sse2, /);
  });

  it('prints a line for each plan of a program, also in C', async () => {
    const passes = (text: string) => [...text.matchAll(/^conv2d: (\w+) \|/gm)].map(([, pass]) => pass);
    const ofTraining = await errors(join(built('cpp'), 'training_step'), 'CONV2D_VERBOSE=1');
    expect(passes(ofTraining)).toEqual(['forward', 'backward_weights']);
    if (isInstalled('cc'))
      expect(passes(await errors(join(built('c'), 'gradients'), 'CONV2D_VERBOSE=1'))).toEqual([
        ...['forward', 'backward_data', 'backward_weights'],
      ]);
  });

  it('prints nothing otherwise', async () => {
    expect([await errors(inference), await errors(inference, 'CONV2D_VERBOSE=0')]).toEqual(['', '']);
  });
});
