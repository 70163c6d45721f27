import { spawnSync } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { reportText } from '../../../web/src/app/numbers/report';
import type { Shape } from '../../../web/src/protocol/problem';
import type { CheckInput } from '../../../web/src/snippets/check';
import { prepareAnswer } from '../../../web/src/worker/answers';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { makeDesc, makeRequest } from '../contract/requests';
import { load } from '../contract/support';
import { pythonWith } from '../support/python';

// The report of a comparison: it names what differs, and its script shows it in NumPy.

// Two images of one row: dw = (1*1 + 2*10 + 3*100) + 4*1000, (2*1 + 3*10 + 4*100) - 5*1000.
const desc = makeDesc({ n: 2, h: 1, w: 4, kh: 1, kw: 2 });
const x = Float32Array.of(1, 2, 3, 4, 4, -5, 6, 1);
const w = Float32Array.of(1, -2);
const dy = Float32Array.of(1, 10, 100, 1000, 0, 0);
const DW = [4321, -4568];
const VERDICT = '✗ 2 of 2 values of dw differ.';

const python = pythonWith('numpy', 'python3-numpy');
let engine: ConvEngine;
let content: Pick<CheckInput, 'geometry' | 'tensors'>;

beforeAll(async () => {
  engine = (await load('simd')).engine;
  engine.hide = hide;
  await prepareAnswer({ kind: 'compare_result' });
  const request = makeRequest(desc, { x, w, dy: { kind: 'values', shape: [2, 1, 3, 1], data: dy } });
  const { geometry, tensors, input_stats: stats } = engine.compute(request, 1);
  const inputs = {
    x: { shape: [2, 1, 4, 1] as Shape, data: x, stats: stats.x },
    w: { shape: [1, 2, 1, 1] as Shape, data: w, stats: stats.w },
  };
  content = { geometry, tensors: { ...tensors, ...inputs } } as typeof content;
});

function reportOf(values: readonly number[], hides = false): string {
  const mine = Float32Array.from(values);
  const comparison = engine.ask(1, { kind: 'compare_result', pass: 'backward_weights', user_result: mine });
  return reportText({ ...content, hides, result: 'dw', values: mine, comparison, verdict: VERDICT });
}

/** What the script of a report prints. */
function printedBy(report: string): string {
  const [, script = ''] = /```python\n(.*?)```/s.exec(report) ?? [];
  const { status, stdout, stderr } = spawnSync(python ?? '', ['-c', script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stderr}\n${script}`);
  return stdout;
}

test('names the layer, the largest difference and the mistake', () => {
  const report = reportOf(DW.map((value) => value / 2));
  expect(report.split('\n').slice(0, 6)).toEqual([
    `### ${VERDICT}`,
    '',
    '- Shapes: x [2, 1, 4, 1], w [1, 2, 1, 1], dw [1, 2, 1, 1]; no bias',
    '- Layout: NHWC, weights HWIO; stride 1 × 1; padding top 0, bottom 0, left 0, right 0; dilation 1 × 1; groups 1',
    '- Largest difference: 2284 at dw[0,1]: mine −2284, expected −4568',
    '- 0 of 2 match within float32 rounding',
  ]);
  expect(report).toMatch(/Common mistakes that give exactly these values of dw:\n\n- \*\*.*batch/);
  const rounded = reportOf([4320, -4568]);
  expect(rounded).toContain('\n- 1 of 2 match within float32 rounding; 2 of 2 match after rounding to bfloat16\n');
  expect(rounded).toContain('All values match after rounding to bfloat16: a lower precision, not a mistake.');
  expect(reportOf([4321, 7])).toContain('No common mistake gives these values.');
  expect(reportOf(DW.map((value) => 3 * value))).toMatch(/Common mistakes|My values are 3 times/);
  expect(reportOf(DW)).toContain('All values match.');
});

test.skipIf(!python)('its script computes the result in NumPy and shows the difference', () => {
  expect(printedBy(reportOf(DW.map((value) => value / 2)))).toBe(
    'largest difference 2284 at dw[0, 1, 0, 0]: mine -2284, expected -4568\n',
  );
  expect(printedBy(reportOf([4320, -4568]))).toBe('largest difference 1 at dw[0, 0, 0, 0]: mine 4320, expected 4321\n');
  expect(printedBy(reportOf([Number.NaN, -4568]))).toMatch(/^largest difference nan at dw\[0, 0, 0, 0\]: mine nan/);
  expect(printedBy(reportOf(DW))).toMatch(/^largest difference 0 at/);
});

test('has no script with hidden values', () => {
  expect(reportOf([1, 2], true)).toMatch(/No script: .*hidden values/);
  expect(reportOf([1, 2], true)).not.toContain('```');
});
