// The build check that keeps code of an instruction set separate, tested on small objects.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cmakeCacheEntry, ROOT, run, WORK_FOLDER } from './build';

const folder = join(WORK_FOLDER, 'instruction-sets');
const SHARED = '__attribute__((noinline)) inline int shared_by_both(int i) { return i * i; }\n';

/** Compiles a source and returns its object. */
async function object(name: string, source: string): Promise<string> {
  const file = join(folder, name);
  writeFileSync(file, source);
  await run(cmakeCacheEntry('CMAKE_CXX_COMPILER'), '-O2', '-c', file, '-o', `${file}.o`);
  return `${file}.o`;
}

function check(...objects: readonly string[]): Promise<string> {
  const list = join(folder, 'objects.txt');
  writeFileSync(list, objects.join('\n'));
  const definitions = [`NM=${cmakeCacheEntry('CMAKE_NM')}`, 'SETS=sse2|avx2|avx512', `OBJECTS=${list}`];
  const script = join(ROOT, 'cpp/cmake/CheckInstructionSets.cmake');
  return run('cmake', ...definitions.map((definition) => `-D${definition}`), '-P', script);
}

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
});

describe('the check of instruction sets', () => {
  it('rejects a function that both an instruction set and another source emit', async () => {
    const kernel = await object('kernel_avx512.cpp', `${SHARED}int kernel(int i) { return shared_by_both(i); }\n`);
    const ordinary = await object('plan.cpp', `${SHARED}int plan(int i) { return shared_by_both(i); }\n`);
    await expect(check(kernel, ordinary)).rejects.toThrow(/shared_by_both/);
  });

  it('rejects a function that two instruction sets emit', async () => {
    const avx2 = await object('kernel_avx2.cpp', `${SHARED}int avx2(int i) { return shared_by_both(i); }\n`);
    const avx512 = await object('kernel_avx512.cpp', `${SHARED}int avx512(int i) { return shared_by_both(i); }\n`);
    await expect(check(avx2, avx512)).rejects.toThrow(/shared_by_both/);
  });

  it('accepts a function that two sources of one instruction set share', async () => {
    const kernel = await object('kernel_avx512.cpp', `${SHARED}int kernel(int i) { return shared_by_both(i); }\n`);
    const test = await object('operations_avx512.cpp', `${SHARED}int test(int i) { return shared_by_both(i); }\n`);
    await check(kernel, test);
  });

  it('accepts a function that other sources share', async () => {
    const kernel = await object('kernel_avx512.cpp', 'int kernel(int i) { return i; }\n');
    const one = await object('one.cpp', `${SHARED}int one(int i) { return shared_by_both(i); }\n`);
    const other = await object('other.cpp', `${SHARED}int other(int i) { return shared_by_both(i); }\n`);
    await check(kernel, one, other);
  });
});
