import { describe, expect, test } from 'vitest';
import { openFiles } from '../../../web/src/formats/formats';
import { writeNpy, writeNpz } from '../../../web/src/formats/npy';
import { argumentsIn } from '../../../web/src/formats/records';
import { writeZip } from '../../../web/src/formats/zip';
import { bytesFrom, bytesOfMade } from './read';
import { sourceOf } from './source';

const array = (name: string, ...values: readonly number[]) => ({
  ...{ name, shape: [values.length], values: Float32Array.from(values) },
});
const opened = async (...arrays: readonly ReturnType<typeof array>[]) => {
  const contents = await openFiles([sourceOf('a.npz', writeNpz(arrays))]);
  if ('refusal' in contents) throw new Error(contents.refusal.reason);
  return { ...contents, names: contents.tensors.map(({ name }) => name) };
};

describe('arguments of a convolution beside its arrays', () => {
  test('stay arrays: the library reads them', async () => {
    const { names, given } = await opened(array('x', 1, 2), array('stride', 2, 1), array('pads', 1, 2, 3, 4));
    expect([names, given]).toEqual([['x', 'stride', 'pads'], []]);
  });

  test('are read from the metadata of a .safetensors file', () => {
    const texts = { stride: '2,1', padding: 'same', groups: ' 4 ', format: 'pt', pads: '0'.repeat(200) };
    expect(argumentsIn(new Map(Object.entries(texts)))).toEqual([
      { name: 'stride', values: [2, 1], text: '' },
      { name: 'padding', values: [], text: 'same' },
      { name: 'groups', values: [4], text: '' },
    ]);
  });
});

const SAME = [{ name: 'padding', values: [], text: 'same' }];

test.each([
  ['JSON', 'a.json', '{"x": [1, 2], "stride": 2, "padding": "same"}', ['x', 'stride'], SAME],
  [
    'JSON with layers',
    'a.json',
    '{"conv1": {"x": [1], "padding": "VALID"}, "conv2": {"x": [2], "auto_pad": "SAME_UPPER", "pads": "1, 2"}}',
    ['conv1.x', 'conv2.x'],
    [
      { name: 'conv1.padding', values: [], text: 'VALID' },
      { name: 'conv2.auto_pad', values: [], text: 'SAME_UPPER' },
      { name: 'conv2.pads', values: [1, 2], text: '' },
    ],
  ],
  [
    'JSON without texts',
    'a.json',
    '{"x": [1, 2], "padding": [1, 1], "bias": null, "title": "conv"}',
    ['x', 'padding'],
    [],
  ],
  ['a dictionary of Python', 'a.txt', "{'x': array([1., 2.]), 'padding': 'same'}", ['x'], SAME],
  ['statements', 'a.py', "x = np.array([1, 2])\npadding = 'same'\n", ['x'], SAME],
] as const)('a padding in words is read from %s', async (_, name, text, names, given) => {
  const contents = await openFiles([sourceOf(name, bytesFrom(text))]);
  if ('refusal' in contents) throw new Error(contents.refusal.reason);
  expect([contents.tensors.map((one) => one.name), contents.given]).toEqual([names, given]);
});

test('a text in place of an array is refused', async () => {
  expect(await openFiles([sourceOf('a.py', bytesFrom("x = 'same'"))])).toHaveProperty('refusal');
});

describe('several files', () => {
  const x = sourceOf('x.npy', writeNpy([2], Float32Array.of(1, 2)));
  const stride = sourceOf('stride.npy', writeNpy([1], Float32Array.of(3)));

  test('are one set of arrays, named like the files', async () => {
    const contents = await openFiles([x, stride, sourceOf('both.npz', writeNpz([array('w', 5), array('b', 6)]))]);
    if ('refusal' in contents) throw new Error(contents.refusal.reason);
    expect(contents.tensors.map(({ name }) => name)).toEqual(['x', 'stride', 'w', 'b']);
    expect(await contents.tensors[0]?.read()).toMatchObject({ values: Float32Array.of(1, 2) });
  });

  test('are refused together, with the name of the bad one', async () => {
    expect(await openFiles([x, sourceOf('bad.csv', bytesFrom('1,2\n3,four'))])).toMatchObject({
      refusal: { reason: 'bad.csv: line 2, column 3: “four” is not a number' },
    });
  });
});

test.each([
  ['x.csv', '1,2\n3,4', ['x']],
  ['conv1.weight.npy', writeNpy([2], Float32Array.of(1, 2)), ['conv1.weight']],
  ['x.txt', '[[1, 2]]\n[[3, 4, 5]]', ['', '']],
  ['x.npz', writeNpz([array('w', 5)]), ['w']],
] as const)(
  'an array without a name that is alone in its file gets the name of the file: %s',
  async (name, bytes, names) => {
    const contents = await openFiles([sourceOf(name, typeof bytes === 'string' ? bytesFrom(bytes) : bytes)]);
    expect('refusal' in contents ? contents.refusal : contents.tensors.map((one) => one.name)).toEqual(names);
  },
);

test('an .npz with an array of strings is read without it', async () => {
  const entries = [
    { name: 'x.npy', bytes: writeNpy([2], Float32Array.of(1, 2)) },
    { name: 'layout.npy', bytes: bytesOfMade('refused-texts.npy') },
  ];
  const contents = await openFiles([sourceOf('a.npz', writeZip(entries))]);
  expect(contents).toMatchObject({
    tensors: [{ name: 'x' }],
    notes: [expect.stringMatching(/^layout: its elements \(<U1\) are strings, not numbers\. It was skipped\.$/)],
  });
  const only = await openFiles([sourceOf('a.npz', writeZip(entries.slice(1)))]);
  expect(only).toMatchObject({ refusal: { reason: expect.stringContaining('are strings, not numbers') } });
});
