import { expect, test } from 'vitest';
import { arrange, orderOf, readingsOf, type Sizes } from '../../../web/src/formats/layouts';

const SIZES: Sizes = {
  ...{ layout: 'nhwc', n: 2, h: 5, w: 6, c: 4, k: 8, kh: 3, kw: 2, groups: 2, oh: 3, ow: 5 },
};
const axesOf = (shape: readonly number[], target: Parameters<typeof readingsOf>[1], sizes = SIZES) =>
  readingsOf(shape, target, sizes).map(({ axes, fits }) => `${axes}${fits ? ' fits' : ''}`);

test('lists the reading that fits first, then those that change sizes', () => {
  expect(axesOf([2, 5, 6, 4], 'x')).toEqual(['NHWC fits', 'NCHW']);
  expect(axesOf([2, 4, 5, 6], 'x')).toEqual(['NCHW fits', 'NHWC']);
  expect(axesOf([3, 2, 2, 8], 'w')).toEqual(['HWIO fits', 'OIHW', 'OHWI']);
  expect(axesOf([8, 2, 3, 2], 'w')).toEqual(['OIHW fits', 'HWIO', 'OHWI']);
  expect(axesOf([8, 3, 2, 2], 'w')).toEqual(['OHWI fits', 'HWIO', 'OIHW']);
  // The sizes of gradients and outputs cannot change.
  expect(axesOf([2, 3, 5, 8], 'dy')).toEqual(['NHWC fits']);
  expect(axesOf([2, 3, 5, 7], 'dy')).toEqual([]);
  expect(axesOf([2, 8, 3, 5], 'y')).toEqual(['NCHW fits']);
});

test('lists the layout of the problem first if both layouts fit', () => {
  const cube = { ...SIZES, n: 1, h: 3, w: 3, c: 3 };
  expect(axesOf([1, 3, 3, 3], 'x', cube)).toEqual(['NHWC fits', 'NCHW fits']);
  expect(axesOf([1, 3, 3, 3], 'x', { ...cube, layout: 'nchw' })).toEqual(['NCHW fits', 'NHWC fits']);
  const kernels = { ...cube, kh: 3, kw: 3, k: 3, groups: 1 };
  expect(axesOf([3, 3, 3, 3], 'w', kernels).slice(0, 3)).toEqual(['HWIO fits', 'OIHW fits', 'OHWI fits']);
});

test('reads fewer axes as an image, its channels or one kernel, and a bias with axes of size 1', () => {
  expect(axesOf([7, 9], 'x')).toEqual(['HW']);
  expect(axesOf([7, 9, 3], 'x')).toEqual(['HWC', 'CHW', 'NHW']);
  expect(readingsOf([7, 9], 'x', SIZES)[0]?.changes).toEqual({ n: 1, h: 7, w: 9, c: 1 });
  expect(readingsOf([3, 3], 'w', SIZES)[0]?.changes).toEqual({ kh: 3, kw: 3, c: 2, k: 1 });
  expect(axesOf([1, 8, 1, 1], 'b')).toEqual(['O fits']);
  expect(axesOf([5], 'b')).toEqual(['O']);
  expect(axesOf([2, 4], 'b')).toEqual(['O fits']);
});

test('never prefers a reading that ignores four axes of the file', () => {
  // 54 values, as many as the 3 x 3 kernels of the page have.
  const page = { ...SIZES, kh: 3, kw: 3, c: 6, k: 1, groups: 1 };
  const names = readingsOf([3, 2, 3, 3], 'w', page).map(({ name, fits }) => `${name}${fits ? ' fits' : ''}`);
  expect(names.at(-1)).toBe('OIHW, reshaped fits');
  expect(names.slice(0, 3)).toEqual(['HWIO', 'OIHW', 'OHWI']);
});

test('reads a flat list in the order of either layout', () => {
  expect(axesOf([240], 'x')).toEqual(['NHWC fits', 'NCHW fits']);
  expect(axesOf([8, 5, 6], 'x')).toContain('NCHW fits');
});

test("reads TensorFlow's depthwise weights as filters of one channel", () => {
  const depthwise = { ...SIZES, c: 4, groups: 4, k: 8 };
  expect(readingsOf([3, 2, 4, 2], 'w', depthwise)[0]).toMatchObject({ axes: 'HWIO', shape: [3, 2, 1, 8], fits: true });
});

test('arranges values in the order of the problem, from every order', () => {
  // Each value encodes its position: 1000 n + 100 row + 10 column + channel.
  const cells = (order: string, sizes: Record<string, number>) => {
    const worth: Record<string, number> = { N: 1000, H: 100, W: 10, C: 1 };
    const values: number[] = [];
    const walk = (axis: number, sum: number) => {
      const letter = order[axis];
      if (letter === undefined) return void values.push(sum);
      for (let at = 0; at < (sizes[letter] ?? 1); at += 1) walk(axis + 1, sum + at * (worth[letter] ?? 0));
    };
    walk(0, 0);
    return Float32Array.from(values);
  };
  const sizes = { N: 2, H: 3, W: 4, C: 5 };
  const shape = (order: string) => [...order].map((letter) => sizes[letter as keyof typeof sizes]);
  for (const from of ['NHWC', 'NCHW', 'CHW', 'HWC', 'HW']) {
    for (const to of ['NHWC', 'NCHW']) {
      const present = Object.fromEntries([...from].map((letter) => [letter, sizes[letter as keyof typeof sizes]]));
      expect(arrange(cells(from, present), { axes: from, shape: shape(from) }, to)).toEqual(cells(to, present));
    }
  }
  expect(orderOf('dw', 'nchw')).toBe('OIHW');
});
