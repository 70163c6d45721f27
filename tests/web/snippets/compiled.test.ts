import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProcessName } from '../../../web/src/protocol/problem';
import type { CheckSubject } from '../../../web/src/snippets/check';
import { cppCheck } from '../../../web/src/snippets/cpp';
import { DEFAULT_LOOP_ORDERS, type LoopOrders } from '../../../web/src/snippets/snippet';
import { load } from '../contract/support';
import { givenOf, randomDescs, subjectOf } from './problems';

// Compiles and runs the C++ loops, in every order of a player.

const COMPILERS = [process.env['CXX'] ?? 'c++', 'clang++-19', 'clang++', 'g++'];
const compiler = COMPILERS.find((name) => spawnSync(name, ['--version']).status === 0);
if (!compiler) console.info('skipped: there is no C++ compiler (Debian: g++); the loops were not run');

const DX: readonly ProcessName[] = ['dx_scatter', 'dx_col2im', 'dx_gather', 'dx_full_conv'];
const DW: readonly ProcessName[] = ['dw_accumulate', 'dw_dilated_dy'];
const waysOf = (at: number): LoopOrders => ({
  ...DEFAULT_LOOP_ORDERS,
  backward_data: DX[at % DX.length] ?? 'dx_scatter',
  backward_weights: DW[at % DW.length] ?? 'dw_accumulate',
});

/** With a changed first value of dx. */
const wrong = (subject: CheckSubject): CheckSubject => ({
  ...subject,
  results: subject.results.map((result) => {
    if (result.name !== 'dx') return result;
    const data = result.numbers.data.map((value, index) => (index === 0 ? value + 1 : value));
    return { ...result, numbers: { ...result.numbers, data } };
  }),
});

/** The exit codes of the programs, compiled as one with common warnings. */
function returned(programs: readonly string[]): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), 'conv2d-loops-'));
  try {
    const headers = new Set(programs.flatMap((text) => text.match(/^#include .*$/gm) ?? []));
    const parts = programs.map(
      (text, at) => `namespace p${at} {\n${text.replace(/^#include .*\n/gm, '').replace('int main()', 'int run()')}\n}`,
    );
    const calls = programs.map((_, at) => `std::printf("returned %d\\n", p${at}::run());`);
    const file = join(folder, 'loops.cpp');
    writeFileSync(file, [...headers, ...parts, `int main() {\n${calls.join('\n')}\n}`].join('\n'));
    const flags = ['-std=c++17', '-O0', '-Wall', '-Wextra', '-Werror', file, '-o', join(folder, 'loops')];
    const { status, stderr } = spawnSync(compiler ?? '', flags, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const { stdout } = spawnSync(join(folder, 'loops'), { encoding: 'utf8' });
    return [...stdout.matchAll(/^returned (\d)$/gm)].map(([, digit]) => Number(digit));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(!compiler)(
  'every order of loops computes what the page did, and refuses another number',
  {
    timeout: 240_000,
  },
  async () => {
    const { engine } = await load('simd');
    const subjects = randomDescs(24, 7).map((desc, at) => subjectOf(givenOf(engine, desc, at)));
    const right = subjects.map((subject, at) => cppCheck(subject, waysOf(at)));
    expect(returned([...right, ...subjects.map((subject, at) => cppCheck(wrong(subject), waysOf(at)))])).toEqual([
      ...subjects.map(() => 0),
      ...subjects.map(() => 1),
    ]);
    // Without flipping w the result is wrong, unless w is symmetric.
    const [first] = subjects.filter(({ geometry: g }) => g.kh * g.kw > 1);
    if (!first) throw new Error('no kernel has two taps');
    expect(returned([cppCheck(first, { ...DEFAULT_LOOP_ORDERS, backward_data: 'dx_full_conv_unflipped' })])).toEqual([
      1,
    ]);
  },
);
