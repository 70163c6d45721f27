import { expect, test } from 'vitest';
import { ONE } from './prints/one';
import { REFUSED } from './prints/refused';
import { SEVERAL } from './prints/several';
import { readString } from './read';

/** Prints and sources of many programs, with names beside and above the values. */

const floats = (values: readonly number[]) => Float32Array.from(values);

test.each(ONE)('reads %s: %j', async (_, text, shape, values) => {
  expect(await readString(text)).toEqual([expect.objectContaining({ shape, values: floats(values) })]);
});

test.each([
  ['another value', [2, 2], [0, 2, 3, 5]],
  ['another order', [2, 2], [0, 3, 2, 4]],
  ['another sign of 0', [2, 2], [-0, 2, 3, 4]],
  ['another shape', [4], [0, 2, 3, 4]],
  ['another count', [2, 2], [0, 2, 3]],
])('the comparison refuses %s', async (_, shape, values) => {
  expect(await readString('[[0, 2], [3, 4]]')).not.toEqual([
    expect.objectContaining({ shape, values: floats(values) }),
  ]);
});

test.each(SEVERAL)('reads several arrays from %s: %j', async (_, text, arrays) => {
  expect(await readString(text)).toEqual(
    arrays.map(([name, shape, values]) => expect.objectContaining({ name, shape, values: floats(values) })),
  );
});

test.each(REFUSED)('refuses %s: %j', async (_, text, reason) => {
  const read = await readString(text);
  expect(read).toEqual(expect.stringMatching(reason));
});
