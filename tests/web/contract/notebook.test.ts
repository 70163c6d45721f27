import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ConvDesc, PASSES } from '../../../web/src/protocol/problem';
import { changed, makeDesc, makeRequest, ramp } from './requests';
import { type Loaded, layerIn, load, numbers, VARIANTS } from './support';

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

/** The transforms of Winograd F(4x4, 3x3) divide by 6 and 24, so integers do not stay integers. */
const ROUNDED: ReadonlySet<string> = new Set(['winograd_4x4']);

/** Equal up to rounding, relative to the largest value. */
function expectNear(got: readonly number[], expected: readonly number[], name: string): void {
  const scale = Math.max(...expected.map(Math.abs));
  expect(got, name).toHaveLength(expected.length);
  const worst = Math.max(...got.map((value, i) => Math.abs(value - (expected[i] ?? Number.NaN))));
  expect(worst, name).toBeLessThan(1e-5 * scale);
}

const product = (shape: Four): number => shape.reduce((a, b) => a * b);

describe.each(VARIANTS)('the ten notebook cases, %s', (variant) => {
  let loaded: Loaded;
  beforeAll(async () => {
    loaded = await load(variant);
  });

  test('are ten', () => expect(cases).toHaveLength(10));

  test('differ if a cell is off by more than rounding', () => {
    expect(() => expectNear([1000.1, 1], [1000, 1], 'made up')).toThrow('made up');
  });

  test.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
    const request = makeRequest(descOf(one), {
      x: values(one.x, product(one.x_shape)),
      w: values(one.w, product(one.w_shape)),
      b: one.b === null ? null : Float32Array.from(one.b),
    });
    const planned = layerIn(loaded.engine.compute(request, 1));
    const lists = loaded.engine.ask(1, { kind: 'algorithms' });
    const expected = { y: one.y, dx: one.dx, dw: one.dw, db: one.db };
    const outputs = { forward: 'y', backward_data: 'dx', backward_weights: 'dw', backward_bias: 'db' } as const;
    for (const pass of PASSES) {
      const output = outputs[pass];
      expect(numbers(planned.tensors[output]?.data), `${output} as planned`).toEqual(expected[output]);
      for (const { name, supported } of lists[pass]) {
        if (!supported) continue;
        const forced = layerIn(loaded.engine.compute(changed(request, { algorithms: { [pass]: name } }), 2));
        expect(forced.runs[pass]?.algorithm).toBe(name);
        const got = numbers(forced.tensors[output]?.data);
        if (ROUNDED.has(name)) expectNear(got, expected[output], name);
        else expect(got, `${output} by ${name}`).toEqual(expected[output]);
      }
    }
  });
});
