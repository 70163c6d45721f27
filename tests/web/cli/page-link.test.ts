import { describe, expect, it } from 'vitest';
import { pageLink } from '../../../web/package/cli/page-link';
import { parseCompressed } from '../../../web/src/link/parse-link';
import type { NamedArray } from '../../../web/src/protocol/judge';
import type { LayerVerdict } from '../../../web/src/protocol/verdict';
import { wordOf } from '../../../web/src/sources/loss';
import { partsOf } from '../support/problems';

const array = (name: string, shape: readonly number[]): NamedArray => ({
  ...{ name, shape, is_text: false },
  values: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => ((i * 5) % 23) - 11),
});

function layer(x: string, w: string, dy: LayerVerdict['dy'], others: Partial<LayerVerdict> = {}): LayerVerdict {
  const y = { verdict: 'matches', sentence: '', array: 'out', operands: [], format: 'float32', factor: 1 } as const;
  const geometry = {
    ...{ kernel: [3, 3], stride: [1, 1], padding: [0, 0, 0, 0], dilation: [1, 1], groups: 1, order: { x, w } },
  };
  return { name: '', kind: 'conv', geometry, evidence: '', arrays: { x: 0, w: 1 }, dy, tensors: { y }, ...others };
}

async function opened(of: LayerVerdict, arrays: readonly NamedArray[]) {
  const link = await pageLink(of, arrays);
  if (!link || !('hash' in link)) throw new Error(JSON.stringify(link));
  const { fault, complaints, missing, problem } = await parseCompressed(link.hash, true, {});
  expect({ fault, complaints, missing }).toEqual({ fault: null, complaints: [], missing: [] });
  return problem;
}

describe('the link of a layer', () => {
  it('keeps NHWC arrays as they are', async () => {
    const arrays = [array('in', [2, 5, 4, 2]), array('W', [3, 3, 2, 3]), array('up', [2, 3, 2, 3])];
    const { desc, x, w, b, loss } = partsOf(
      await opened(layer('NHWC', 'HWIO', 'file', { arrays: { x: 0, w: 1, dy: 2 } }), arrays),
    );
    expect(desc).toMatchObject({ layout: 'nhwc', n: 2, h: 5, w: 4, c: 2, kh: 3, kw: 3, k: 3 });
    expect([x.data, w.data, b]).toEqual([arrays[0]?.values, arrays[1]?.values, null]);
    expect(loss).toMatchObject({ dy: { kind: 'values', data: arrays[2]?.values } });
  });

  it('moves weights of another order', async () => {
    const arrays = [array('in', [1, 1, 3, 3]), array('W', [3, 3, 1, 2])];
    const { desc, w } = partsOf(await opened(layer('NCHW', 'HWIO', 'missing'), arrays));
    expect(desc).toMatchObject({ layout: 'nchw', k: 2, c: 1 });
    // OIHW: the first filter, then the second one.
    const values = [...(arrays[1]?.values ?? [])];
    expect([...w.data]).toEqual([...values.filter((_, i) => i % 2 === 0), ...values.filter((_, i) => i % 2 === 1)]);
  });

  it('reads depthwise weights of TensorFlow', async () => {
    const arrays = [array('in', [1, 4, 4, 3]), array('W', [3, 3, 3, 2])];
    const grouped = layer('NHWC', 'HWCM', 'ones');
    const geometry = grouped.geometry && { ...grouped.geometry, groups: 3 };
    const { desc, w, loss } = partsOf(await opened({ ...grouped, geometry }, arrays));
    expect([desc.groups, desc.c, desc.k, wordOf(loss)]).toEqual([3, 3, 6, 'ones']);
    expect(w.data).toEqual(arrays[1]?.values);
  });

  it('shows a 1-D convolution as one row', async () => {
    const arrays = [array('in', [2, 3, 9]), array('W', [4, 3, 3]), array('B', [4]), array('out', [2, 4, 4])];
    const geometry = {
      ...{ kernel: [1, 3], stride: [1, 2], padding: [0, 0, 0, 0], dilation: [1, 1], groups: 1 },
      order: { x: 'NCL', w: 'OIL' },
    };
    const { desc, b, loss } = partsOf(
      await opened(layer('NCL', 'OIL', 'y', { kind: 'conv1d', geometry, arrays: { x: 0, w: 1, b: 2, y: 3 } }), arrays),
    );
    expect(desc).toMatchObject({ n: 2, c: 3, h: 1, w: 9, k: 4, kh: 1, kw: 3, stride_h: 1, stride_w: 2 });
    expect(b?.data).toEqual(arrays[2]?.values);
    expect(loss).toMatchObject({ dy: { kind: 'values', data: arrays[3]?.values } });
  });

  it('has the gradient of a mean', async () => {
    const arrays = [array('in', [1, 1, 4, 4]), array('W', [1, 1, 3, 3])];
    const { loss } = await opened(layer('NCHW', 'OIHW', 'mean'), arrays);
    expect(loss).toMatchObject({ dy: { kind: 'values', data: new Float32Array(4).fill(0.25) } });
  });

  it('is missing for other layers, missing inputs and other shapes', async () => {
    const arrays = [array('in', [1, 1, 4, 4]), array('W', [1, 1, 3, 3])];
    const conv = layer('NCHW', 'OIHW', 'ones');
    expect(await pageLink(conv, arrays)).toHaveProperty('hash');
    expect(await pageLink({ ...conv, kind: 'conv_transpose' }, arrays)).toBeNull();
    expect(await pageLink({ ...conv, kind: 'relu', geometry: null }, arrays)).toBeNull();
    expect(await pageLink({ ...conv, arrays: { x: 0 } }, arrays.slice(0, 1))).toBeNull();
    expect(await pageLink({ ...conv, arrays: { x: 0, dw: 1 } }, arrays)).toBeNull();
  });

  it('says why there is none', async () => {
    const conv = layer('NCHW', 'OIHW', 'ones');
    const noise = Float32Array.from({ length: 1e5 }, (_, i) => Math.fround(Math.sin(i * i)));
    const large = { ...array('in', [1, 1, 100, 1000]), values: noise };
    expect(await pageLink(conv, [large, array('W', [1, 1, 3, 3])])).toEqual({
      reason: 'its arrays are too large for a link. Open the file on the page',
    });
    const wide = { ...array('in', [1, 1, 3, 5000]) };
    expect(await pageLink(conv, [wide, array('W', [1, 1, 3, 3])])).toEqual({
      reason: expect.stringMatching(/^the page does not show it: .*4,?096/),
    });
  });
});
