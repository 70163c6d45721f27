import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ConvDesc } from '../../../web/src/protocol/problem';
import { makeRequest } from '../contract/requests';
import { layerIn, load } from '../contract/support';
import { descOf } from '../geometry/arbitrary-geometry';
import { pythonWith } from '../support/python';

// The helpers of examples/ that save a layer of a training step. The library computes the same from what they save.

const python = pythonWith('torch', 'python3-torch');

interface Saved {
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** The arrays that the program saves in the file `path`. */
function savedBy(helper: string, program: string, before = ''): Readonly<Record<string, Saved>> {
  const text = `${before}
import json, tempfile, numpy as np, torch
path = tempfile.mkdtemp() + "/layer.npz"
${read(`../../../examples/${helper}`)}
# Whole numbers: no sum is rounded.
def whole(*shape):
    numbers = np.arange(np.prod(shape))
    return ((numbers * 7 + 3) % 9 - 4.0).reshape(shape)
${program}
print(json.dumps({name: {"shape": array.shape, "data": array.ravel().tolist()} for name, array in np.load(path).items()}))`;
  const { status, stdout, stderr } = spawnSync(python ?? '', ['-c', text], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Readonly<Record<string, Saved>>;
}

/** Everything that the library computes from the saved x, w, b and dy is what was saved, and so are the arguments. */
async function compare(saved: Readonly<Record<string, Saved>>, desc: ConvDesc): Promise<void> {
  const { engine } = await load('simd');
  const of = (name: string) => Float32Array.from(saved[name]?.data ?? []);
  const shape = saved['y']?.shape as readonly [number, number, number, number];
  const request = makeRequest(desc, {
    ...{ x: of('x'), w: of('w'), b: saved['b'] ? of('b') : null },
    loss: { kind: 'given', dy: { kind: 'values', shape, data: of('dy') } },
  });
  const { tensors, geometry } = layerIn(engine.compute(request, 1));
  for (const name of ['y', 'dx', 'dw', 'db'] as const) {
    if (saved[name]) expect([...(tensors[name]?.data ?? [])], name).toEqual(saved[name].data);
  }
  const { top, bottom, left, right } = geometry.padding;
  const { stride_h, stride_w, dilation_h, dilation_w, groups, layout } = desc;
  expect(['stride', 'padding', 'dilation', 'groups', 'nchw'].map((name) => saved[name]?.data)).toEqual([
    [stride_h, stride_w],
    [top, bottom, left, right],
    [dilation_h, dilation_w],
    [groups],
    [layout === 'nchw' ? 1 : 0],
  ]);
}

const ALL = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'];
const namesIn = (saved: Readonly<Record<string, Saved>>) => Object.keys(saved).filter((name) => ALL.includes(name));

test.skipIf(!python)('PyTorch: a layer with a stride, padding and groups, that others change in place', async () => {
  // The input has another user: its gradient is not that of the layer alone.
  const saved = savedBy(
    'save_layer_pytorch.py',
    `
layer = torch.nn.Conv2d(4, 6, 3, stride=2, padding=1, groups=2)
with torch.no_grad():
    for tensor in (layer.weight, layer.bias):
        tensor.copy_(torch.tensor(whole(*tensor.shape)))
save = watch(layer)
x = torch.tensor(whole(2, 4, 7, 6), dtype=torch.float32).requires_grad_()
y = layer(x)
((torch.relu_(y) * torch.tensor(whole(*y.shape))).sum() + 5 * x.sum()).backward()
torch.optim.SGD(layer.parameters(), 1).step()
save(path)`,
  );
  expect(namesIn(saved).sort()).toEqual([...ALL].sort());
  expect(saved['x']?.shape).toEqual([2, 4, 7, 6]);
  expect(saved['y']?.data.some((value) => value < 0)).toBe(true);
  const same = { layout: 'nchw', n: 2, h: 7, w: 6, c: 4, k: 6, groups: 2, stride_h: 2, stride_w: 2 } as const;
  await compare(saved, { ...descOf(same), padding: { top: 1, bottom: 1, left: 1, right: 1 } });
});

test.skipIf(!python)('PyTorch: padding "same" of an even kernel, a first layer without bias', async () => {
  const saved = savedBy(
    'save_layer_pytorch.py',
    `
layer = torch.nn.Conv2d(1, 1, (3, 4), padding="same", dilation=(1, 2), bias=False)
with torch.no_grad():
    layer.weight.copy_(torch.tensor(whole(1, 1, 3, 4)))
save = watch(layer)
y = layer(torch.tensor(whole(1, 1, 5, 8), dtype=torch.float32))
(y * torch.tensor(whole(*y.shape))).sum().backward()
save(path)`,
  );
  expect(namesIn(saved).sort()).toEqual(['dw', 'dx', 'dy', 'w', 'x', 'y']);
  const sizes = { layout: 'nchw', h: 5, w: 8, kh: 3, kw: 4, stride_h: 1, stride_w: 1, dilation_w: 2 } as const;
  await compare(saved, { ...descOf(sizes), padding_mode: 'same' });
});

// Debian has no package of TensorFlow: stand-ins check our steps against its documentation.
test.skipIf(!python)('TensorFlow: padding SAME with a stride and groups', async () => {
  const saved = savedBy(
    'save_layer_tensorflow.py',
    `
tf.cpu = False
x, w, b = (Tensor(torch.tensor(whole(*shape), dtype=torch.float32)) for shape in ((1, 6, 5, 4), (3, 3, 2, 6), (6,)))
with tf.GradientTape() as tape:
    tape.watch([x, w, b])
    y = save_conv(path, x, w, b, strides=(2, 2), padding="SAME")
tape.gradient(y, [x, w, b], output_gradients=Tensor(torch.tensor(whole(*y.shape), dtype=torch.float32)))`,
    read('stand_ins.py'),
  );
  expect(namesIn(saved).sort()).toEqual([...ALL].sort());
  const sizes = { layout: 'nhwc', n: 1, h: 6, w: 5, c: 4, k: 6, groups: 2, stride_h: 2, stride_w: 2 } as const;
  await compare(saved, { ...descOf(sizes), padding_mode: 'same' });
});
