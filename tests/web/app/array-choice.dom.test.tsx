import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test } from 'vitest';
import { useArrays } from '../../../web/src/app/numbers/ImportInputs';
import type { Offers } from '../../../web/src/app/numbers/import-inputs';
import type { FileTensor, TensorHeader } from '../../../web/src/formats/format';

afterEach(() => act(() => render(null, document.body)));

/** An array of a file that counts how often it is read. */
function arrayOf(name: string) {
  const read = { times: 0, end: (): void => undefined };
  const tensor: FileTensor = { name, shape: [1], values: Float32Array.of(1), loss: { rounded: 0, overflowed: 0 } };
  const listed: TensorHeader = {
    ...{ name, shape: [1], stored: 'float32' },
    read: () => {
      read.times += 1;
      return new Promise((resolve) => {
        read.end = () => resolve(tensor);
      });
    },
  };
  return { read, listed };
}

const offersOf = (listed: readonly TensorHeader[]): Offers =>
  Object.fromEntries(
    ['x', 'w', 'b', 'dy'].flatMap((target, at) => {
      const header = listed[at];
      return header ? [[target, { tensor: at, listed: header, readings: [], reading: null }]] : [];
    }),
  );

function Shown({ offers }: { readonly offers: Offers }) {
  const arrays = useArrays(offers);
  return <p>{[...arrays].map(([index, read]) => `${index}: ${'name' in read ? read.name : ''}`).join(', ')}</p>;
}

const show = (offers: Offers) => act(() => render(<Shown offers={offers} />, document.body));

test('each array is read once, while others arrive and the choice changes', async () => {
  const arrays = ['a', 'b', 'c'].map(arrayOf);
  const listed = arrays.map((array) => array.listed);
  show(offersOf(listed));
  for (const { read } of arrays) await act(async () => read.end());
  show({ ...offersOf(listed) });
  expect(arrays.map(({ read }) => read.times)).toEqual([1, 1, 1]);
  expect(document.body.textContent).toBe('0: a, 1: b, 2: c');
});

test('the arrays of another file replace those of the first', async () => {
  const [a, b] = [arrayOf('a'), arrayOf('b')];
  show(offersOf([a.listed]));
  await act(async () => a.read.end());
  show(offersOf([b.listed]));
  expect(document.body.textContent).toBe('');
  await act(async () => b.read.end());
  expect(document.body.textContent).toBe('0: b');
});
