import { describe, expect, it } from 'vitest';
import { milliseconds } from '../../../web/bench/src/report/format.ts';
import { markdownOf, svgOf } from '../../../web/bench/src/report/index.ts';
import { entry, race, result } from './example-result.ts';

const ours = {
  ...entry('ours-relaxed', 'plan', 1, 2),
  algorithm: 'implicit_gemm',
  error: 3.8e-7,
  workspaceFloats: 1300,
};

describe('the table', () => {
  const litert = entry('litert', 'flip', 1.5, 1);
  const text = markdownOf(result([race('S1', [ours, litert]), race('R7', [ours])]));

  it('has a line per shape with the times, the ratio, the share of the ceiling and the workspace', () => {
    expect(text).toContain('| S1 | 1 | 1.5 flip | - | 1.50 | 20.00 | 50 % | implicit_gemm | 3.8e-7 | 1.30 too large |');
  });

  it('marks no workspace of up to 4 kB', () => {
    const tiny = (workspaceFloats: number) =>
      markdownOf(result([{ ...race('P1', [{ ...ours, workspaceFloats }]), tensorFloats: 137 }]));
    expect(tiny(1024)).toContain('| 7.47 |');
    expect(tiny(1025)).toContain('| 7.48 too large |');
  });

  it('shows end to end beside kernel only', () => {
    expect(text).toContain('## forward, end to end');
    expect(text).toContain('| S1 | 2 | 1 flip | - | 0.50 |');
  });

  it('says what the names of the shapes mean', () => {
    const shapes = [{ name: 'R7', note: 'ResNet', size: '1 x 56 x 56 x 256 -> 512, 1 x 1, stride 2' }];
    expect(markdownOf({ ...result([race('R7', [ours])]), shapes })).toContain(
      '| R7 | 1 x 56 x 56 x 256 -> 512, 1 x 1, stride 2 | ResNet |',
    );
  });

  it('has second tables without Winograd, with the errors of both', () => {
    const winograd = { ...entry('ours-relaxed', 'plan', 1), algorithm: 'winograd_4x4', error: 2e-6 };
    const strict = { ...entry('ours-relaxed', 'strict', 3), algorithm: 'implicit_gemm', error: 4e-7 };
    const theirs = { ...entry('litert', 'winograd', 2), error: 3e-6 };
    const both = markdownOf(result([race('R2', [winograd, strict, theirs, entry('litert', 'direct', 6)])]));
    expect(both).toContain('| R2 | 1 | 2 winograd (error 3.0e-6) | - | 2.00 | 20.00 | 50 % | winograd_4x4 | 2.0e-6 |');
    const [, second = ''] = both.split('## forward, strict, kernel only');
    expect(second).toContain('| R2 | 3 | 6 direct | - | 2.00 | 6.67 | 17 % | implicit_gemm | 4.0e-7 |');
    expect(text).not.toContain('strict');
  });

  it('leaves out shapes without times', () => {
    expect(text).toContain('| R7 | 1 | - | - | - | 20.00 |');
  });

  it('ends each pass with the geometric means', () => {
    expect(text).toContain('**1.50** (S 1.50, R -); over each: litert 1.50, ort -.');
  });

  it('shows failures', () => {
    const failures = [{ party: 'ort', form: 'Conv', what: 'wrong result' }];
    const failed = markdownOf(result([{ ...race('S1', [ours]), failures }]));
    expect(failed).toContain('- S1 forward, ort/Conv: wrong result');
    expect(markdownOf({ ...result([]), absent: { tfjs: 'no wasm' } })).toContain('- tfjs: no wasm');
  });

  it('reports corrections before timing', () => {
    const corrected = { ...litert, note: '403 spare lanes held subnormal numbers' };
    expect(markdownOf(result([race('S1', [ours, corrected])]))).toContain(
      '## Notes\n\n- S1 forward, litert/flip: 403 spare lanes held subnormal numbers',
    );
    expect(text).not.toContain('## Notes');
  });

  it('marks a pass that is ten times slower than the forward pass of the same party', () => {
    const forward = race('S1', [ours, entry('litert', 'conv2d', 2)]);
    const backward = (...times: number[]) => ({
      ...race(
        'S1',
        times.map((time, i) => entry('litert', `form ${i}`, time)),
      ),
      pass: 'backward_data' as const,
    });
    expect(markdownOf(result([forward, backward(900, 30)]))).toContain(
      '## Suspiciously slow\n\n- S1 backward_data, litert: its best form (form 1) is 15 times slower than its forward pass',
    );
    for (const harmless of [
      backward(900, 19),
      { ...backward(900), shape: 'S2' },
      { ...backward(900), pass: 'backward_bias' as const },
    ])
      expect(markdownOf(result([forward, harmless]))).not.toContain('Suspiciously');
  });

  it('reports the speed-up of threads if both were raced', () => {
    expect(text).not.toContain('## Threads');
    const two = { ...entry('ours-2-threads', 'plan', 0.5), algorithm: 'implicit_gemm' };
    const raced = markdownOf(result([race('S1', [ours, two, entry('ours-2-threads', 'direct', 1)])]));
    expect(raced).toContain('| S1 | forward | 2 | 1 | 0.5 | 2.00 | implicit_gemm |');
  });

  it('compares algorithms without peers', () => {
    const alone = {
      ...result([race('S1', [ours, entry('ours-relaxed', 'direct', 0.5), entry('ours-relaxed', 'implicit_gemm', 1)])]),
      parties: { 'ours-relaxed': '' },
    };
    const lines = markdownOf(alone).split('\n');
    expect(lines).toContain('| S1 | ours-relaxed | direct | 0.5 | 40.00 | 100 % | - |  |');
    expect(lines).toContain(
      '| S1 | ours-relaxed | **plan: implicit_gemm** | 1 | 20.00 | 50 % | 1.30 too large | 2.00 |',
    );
  });
});

it('writes times with three digits, however short', () => {
  expect([17791.4, 11.04, 0.5, 0.003612, undefined].map(milliseconds)).toEqual(['17791', '11', '0.5', '0.00361', '-']);
});

describe('the plot', () => {
  const svg = svgOf([result([race('S1', [ours, entry('litert', 'a <b> & c', 4)])])]);

  it('has a bar per party and a line per visible ceiling', () => {
    expect(svg.match(/<title>/g)).toHaveLength(3);
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(2);
  });

  it('draws twice the speed twice as high', () => {
    const heights = [...svg.matchAll(/height="([\d.]+)" fill="#/g)].map(([, height]) => Number(height));
    const [tall = 0, low = 0] = heights.filter((height) => height !== 9);
    expect(tall / low).toBeCloseTo(4, 1);
  });

  it('stays inside of its frame', () => {
    const [, width = '0'] = /width="(\d+)"/.exec(svg) ?? [];
    for (const [, x = '0'] of svg.matchAll(/ x="([\d.]+)"/g)) expect(Number(x)).toBeLessThan(Number(width));
  });
});
