import { describe, expect, test } from 'vitest';
import { argumentsIn } from '../../../web/src/formats/arguments';
import { openFiles, openText } from '../../../web/src/formats/formats';
import { writeNpy, writeNpz } from '../../../web/src/formats/npy';
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
  test('are read from arrays with their names', async () => {
    const [x, stride] = [array('x', 1, 2), array('stride', 2, 1)];
    const others = [array('padding', 1, 2, 3, 4), array('dilation', 3), array('groups', 4), array('nchw', 0)];
    const { names, given } = await opened(x, stride, ...others);
    expect(names).toEqual(['x']);
    expect(given).toEqual({
      ...{ stride: [2, 1], dilation: [3, 3], groups: 4, layout: 'nhwc' },
      padding: { top: 1, bottom: 2, left: 3, right: 4 },
    });
  });

  test('can have one number of padding for all sides, or one for rows and one for columns', async () => {
    const paddingOf = async (...values: readonly number[]) =>
      (await opened(array('x', 1), array('padding', ...values))).given.padding;
    expect(await paddingOf(2)).toEqual({ top: 2, bottom: 2, left: 2, right: 2 });
    expect(await paddingOf(2, 0)).toEqual({ top: 2, bottom: 2, left: 0, right: 0 });
  });

  test('that are not valid are reported and not used', async () => {
    const { given, notes } = await opened(
      array('x', 1),
      array('stride', 0),
      array('padding', 1, 2, 3),
      array('nchw', 7),
    );
    expect(given).toEqual({});
    expect(notes).toEqual(
      ['stride is [0]', 'padding is [1, 2, 3]', 'nchw is [7]'].map(
        (text) => `${text}, which is not valid. It is not used.`,
      ),
    );
  });

  test('are arrays like others if nothing else is there', async () => {
    expect(await opened(array('padding', 1, 2))).toMatchObject({ names: ['padding'], given: {} });
  });

  test('are read from a text', async () => {
    const contents = await openText('x = [[1, 2]]\nstride = 2\npadding = (1, 0)');
    expect(contents).toMatchObject({
      given: { stride: [2, 2], padding: { top: 1, bottom: 1, left: 0, right: 0 } },
      tensors: [{ name: 'x' }],
    });
  });

  test('are read from the metadata of a .safetensors file', () => {
    const texts = { stride: '2,1', padding: '0,1,0,2', dilation: '1', groups: ' 4 ', layout: 'NCHW', format: 'pt' };
    expect(argumentsIn(new Map(Object.entries(texts)))).toEqual({
      notes: [],
      given: {
        ...{ stride: [2, 1], dilation: [1, 1], groups: 4, layout: 'nchw' },
        padding: { top: 0, bottom: 1, left: 0, right: 2 },
      },
    });
    const wrong = argumentsIn(new Map(Object.entries({ stride: 'two', layout: 'nc' })));
    expect(wrong).toEqual({ given: {}, notes: [expect.stringContaining('“two”'), expect.stringContaining('“nc”')] });
  });
});

describe('several files', () => {
  const x = sourceOf('x.npy', writeNpy([2], Float32Array.of(1, 2)));
  const stride = sourceOf('stride.npy', writeNpy([1], Float32Array.of(3)));

  test('are one set of arrays, named like the files', async () => {
    const contents = await openFiles([x, stride, sourceOf('both.npz', writeNpz([array('w', 5), array('b', 6)]))]);
    if ('refusal' in contents) throw new Error(contents.refusal.reason);
    expect(contents.tensors.map(({ name }) => name)).toEqual(['x', 'w', 'b']);
    expect(contents.given).toEqual({ stride: [3, 3] });
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
