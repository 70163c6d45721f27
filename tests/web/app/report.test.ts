import { spawnSync } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { reportText, verdictReport } from '../../../web/src/app/numbers/report';
import type { FileContents } from '../../../web/src/formats/format';
import type { Shape } from '../../../web/src/protocol/problem';
import type { FileVerdict, LayerVerdict, TensorVerdict } from '../../../web/src/protocol/verdict';
import type { CheckInput } from '../../../web/src/snippets/check';
import { prepareAnswer } from '../../../web/src/worker/answers';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { makeDesc, makeRequest } from '../contract/requests';
import { layerIn, load } from '../contract/support';
import { pythonWith } from '../support/python';

// The report of a comparison: it names what differs, and its script shows it in NumPy.

// Two images of one row: dw = (1*1 + 2*10 + 3*100) + 4*1000, (2*1 + 3*10 + 4*100) - 5*1000.
const desc = makeDesc({ n: 2, h: 1, w: 4, kh: 1, kw: 2 });
const x = Float32Array.of(1, 2, 3, 4, 4, -5, 6, 1);
const w = Float32Array.of(1, -2);
const dy = Float32Array.of(1, 10, 100, 1000, 0, 0);
const DW = [4321, -4568];
const VERDICT: TensorVerdict = {
  ...{ verdict: 'differs', sentence: '2 of 2 values of dw differ.', format: 'float32', factor: 1 },
  ...{ lessons: [], array: 'dw', operands: ['x: x', 'dy: dy'] },
};

const python = pythonWith('numpy', 'python3-numpy');
let engine: ConvEngine;
let content: Pick<CheckInput, 'geometry' | 'tensors'>;

beforeAll(async () => {
  engine = (await load('simd')).engine;
  engine.hide = hide;
  await prepareAnswer({ kind: 'compare_result' });
  const request = makeRequest(desc, {
    x,
    w,
    loss: { kind: 'given', dy: { kind: 'values', shape: [2, 1, 3, 1], data: dy } },
  });
  const { geometry, tensors, input_stats: stats } = layerIn(engine.compute(request, 1));
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

test('names the layer and the largest difference', () => {
  const report = reportOf(DW.map((value) => value / 2));
  expect(report.split('\n').slice(0, 5)).toEqual([
    '### ✗ dw: 2 of 2 values of dw differ.',
    '',
    '- Shapes: x [2, 1, 4, 1], w [1, 2, 1, 1], dw [1, 2, 1, 1]; no bias',
    '- Layout: NHWC, weights HWIO; stride 1 × 1; padding top 0, bottom 0, left 0, right 0; dilation 1 × 1; groups 1',
    '- Largest difference: 2284 at dw[0,1]: mine −2284, expected −4568',
  ]);
  expect(reportOf(DW)).toContain('No difference');
});

test('of a file names each result, its array and what it was computed from', () => {
  const file: FileContents = {
    tensors: ['x', 'w', 'conv.weight.grad'].map((name, index) => ({
      ...{ name, shape: index === 1 ? [1, 1, 1, 2] : [1, 1, 2, 4], stored: 'float32' },
      read: () => Promise.reject(new Error()),
    })),
    ...{ notes: [], desc: null, given: [], link: '' },
  };
  const layer: LayerVerdict = {
    ...{ name: '', kind: 'conv', geometry: null, evidence: 'stride 1, padding 0: the only one of 4 that gives dw' },
    ...{ arrays: { x: 0, w: 1, dw: 2 }, dy: 'ones', tensors: { dw: { ...VERDICT, worst: 6, yours: 1, right: 'NaN' } } },
  };
  const verdict: FileVerdict = {
    verdict: 'wrong',
    sentence: '1 of 1 result is wrong.',
    layers: [layer],
    unused: ['epoch'],
  };
  expect(verdictReport('layer.npz', file, verdict)).toBe(`### ✗ layer.npz: 1 of 1 result is wrong.

Convolution. Stride 1, padding 0: the only one of 4 that gives dw. The file has no dy. dy = 1 everywhere, the gradient of y.sum(), is used.

- ✗ **dw** (conv.weight.grad [1, 1, 2, 4]): 2 of 2 values of dw differ.
  - Largest difference: dw[0,0,1,2]: yours 1, right NaN
  - Computed from x: x, dy: dy

Not used: epoch.

Checked by the conv2d playground.
`);
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
