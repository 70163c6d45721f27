import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ConvDesc, PASSES } from '../../../web/src/protocol/problem';
import { makeDesc, makeRequest, ramp } from './requests';
import { type Loaded, load, numbers, VARIANTS } from './support';

type Four = [number, number, number, number];

interface NotebookCase {
  name: string;
  x_shape: Four;
  w_shape: Four;
  stride: [number, number];
  padding: Four;
  dilation: [number, number];
  groups: number;
  x: string;
  w: string;
  b: number[] | null;
  y: number[];
  dx: number[];
  dw: number[];
  db: number[];
}

const golden = new URL('../../golden/notebook.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(golden, 'utf8')) as { cases: NotebookCase[] };

/** "12, 11, 10, ... row-major" */
function values(rule: string, length: number): Float32Array {
  const [first, second] = rule.split(',').map(Number);
  if (first === undefined || second === undefined) throw new Error(`no rule for values: ${rule}`);
  return ramp(length, first, second - first);
}

function descOf({ x_shape, w_shape, stride, padding, dilation, groups }: NotebookCase): ConvDesc {
  const [n, h, w, c] = x_shape;
  const [kh, kw, , k] = w_shape;
  const [top, bottom, left, right] = padding;
  const sides = { top, bottom, left, right };
  const strides = { stride_h: stride[0], stride_w: stride[1], dilation_h: dilation[0], dilation_w: dilation[1] };
  return makeDesc({ n, h, w, c, k, kh, kw, ...strides, groups, padding: sides });
}

const product = (shape: Four): number => shape.reduce((a, b) => a * b);

describe.each(VARIANTS)('the ten notebook cases, %s', (variant) => {
  let loaded: Loaded;
  beforeAll(async () => {
    loaded = await load(variant);
  });

  test('are ten', () => expect(cases).toHaveLength(10));

  test.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
    const request = makeRequest(descOf(one), {
      x: values(one.x, product(one.x_shape)),
      w: values(one.w, product(one.w_shape)),
      b: one.b === null ? null : Float32Array.from(one.b),
    });
    const planned = loaded.engine.compute(request, 1);
    const expected = { y: one.y, dx: one.dx, dw: one.dw, db: one.db };
    const outputs = { forward: 'y', backward_data: 'dx', backward_weights: 'dw', backward_bias: 'db' } as const;
    for (const pass of PASSES) {
      const output = outputs[pass];
      expect(numbers(planned.tensors[output]?.data), `${output} as planned`).toEqual(expected[output]);
      for (const { name, supported } of planned.algorithms[pass] ?? []) {
        if (!supported) continue;
        const forced = loaded.engine.compute({ ...request, passes: [pass], algorithms: { [pass]: name } }, 2);
        expect(forced.runs[pass]?.algorithm).toBe(name);
        expect(numbers(forced.tensors[output]?.data), `${output} by ${name}`).toEqual(expected[output]);
      }
    }
  });
});
