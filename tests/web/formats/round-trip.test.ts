import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countOf } from '../../../web/src/formats/format';
import { openFile } from '../../../web/src/formats/formats';
import { type NamedValues, writeNpy, writeNpz } from '../../../web/src/formats/npy';
import { writeSafetensors } from '../../../web/src/formats/safetensors';
import { TEXT_STYLES, type TextStyle, writeCase, writeText } from '../../../web/src/formats/write';
import type { Geometry } from '../../../web/src/protocol/problem';
import { bytesFrom, readBytes, readString } from './read';
import { sourceOf } from './source';

/** Written files are read again without a change of any bit. */

const RUNS = { numRuns: 1000, seed: 15 } as const;

/** All bit patterns of float32, and typical numbers. */
const float = fc.oneof(
  fc.float(),
  fc.integer({ min: -9, max: 9 }),
  fc.integer({ min: -999, max: 999 }).map((cents) => Math.fround(cents / 100)),
);
const tensorWith = (numbers: fc.Arbitrary<number>, sizes: fc.Arbitrary<readonly number[]>): fc.Arbitrary<NamedValues> =>
  sizes.chain((shape) =>
    fc
      .array(numbers, { minLength: countOf(shape), maxLength: countOf(shape) })
      .map((values) => ({ name: 'x', shape, values: Float32Array.from(values) })),
  );
const size = fc.integer({ min: 1, max: 4 });
const tensor = tensorWith(float, fc.array(size, { minLength: 0, maxLength: 5 }));
const maybeEmpty = tensorWith(float, fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 0, maxLength: 5 }));

/** NaN equals NaN; 0 and -0 differ. */
const same = (values: Float32Array) => ({ asymmetricMatch: (other: unknown) => isSame(values, other) });

function isSame(values: Float32Array, other: unknown): boolean {
  if (!(other instanceof Float32Array) || other.length !== values.length) return false;
  return values.every((value, index) => Object.is(value, other[index]));
}

test('the comparison distinguishes -0 from 0, and adjacent numbers', () => {
  expect(isSame(Float32Array.of(0), Float32Array.of(-0))).toBe(false);
  expect(isSame(Float32Array.of(1), Float32Array.of(1 + 2 ** -23))).toBe(false);
  expect(isSame(Float32Array.of(Number.NaN), Float32Array.of(Number.NaN))).toBe(true);
});

test('reads 1,000 .npy files back', async () => {
  await fc.assert(
    fc.asyncProperty(maybeEmpty, async ({ shape, values }) => {
      const read = await readBytes('x.npy', writeNpy(shape, values));
      expect(read).toEqual([{ name: '', shape, values: same(values), loss: { rounded: 0, overflowed: 0 } }]);
    }),
    RUNS,
  );
});

test('reads 1,000 .npz archives back', async () => {
  const named = fc.uniqueArray(fc.constantFrom('x', 'w', 'b', 'dy', 'dx', 'größe'), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(named, tensor, tensor, async (names, one, other) => {
      const tensors = names.map((name, index) => ({ ...(index % 2 === 0 ? one : other), name }));
      const right = tensors.map(({ name, shape, values }) =>
        expect.objectContaining({ name, shape, values: same(values) }),
      );
      expect(await readBytes('all.npz', writeNpz(tensors))).toEqual(right);
      expect(await readBytes('all.safetensors', writeSafetensors(tensors))).toEqual(right);
    }),
    RUNS,
  );
});

test.each([
  ['all.npz', writeNpz],
  ['all.safetensors', writeSafetensors],
] as const)('reads the link in %s back, and its arrays alone without one', async (name, write) => {
  const x = { name: 'layer1.x', shape: [2], values: Float32Array.of(1, 2) };
  const linkIn = async (bytes: Uint8Array) => {
    const contents = await openFile(sourceOf(name, bytes));
    if ('refusal' in contents) throw new Error(contents.refusal.reason);
    return [contents.link, contents.notes, contents.tensors.map((tensor) => tensor.name)];
  };
  const link = 'v=2&h=5&layer.2=relu&x=brought:ü~f32';
  expect(await linkIn(write([x], link))).toEqual([link, [], ['layer1.x']]);
  expect(await linkIn(write([x]))).toEqual(['', [], ['layer1.x']]);
});

const STYLES = Object.keys(TEXT_STYLES) as readonly TextStyle[];

test.each(STYLES)('reads 1,000 tensors back from text: %s', async (style) => {
  const isTable = style === 'tabs' || style === 'commas';
  // Nested lists and tables lose the sizes after a size of 0; NumPy and PyTorch write them with reshape.
  const drawn = style === 'numpy' || style === 'pytorch' ? maybeEmpty : tensor;
  await fc.assert(
    fc.asyncProperty(drawn, async (one) => {
      const text = writeText(style, one);
      const read = await readString(text);
      const [found] = typeof read === 'string' ? [] : read;
      if (!found) throw new Error(`${String(read)}\n${text}`);
      expect(found.values).toEqual(same(one.values));
      expect(found.loss).toEqual({ rounded: 0, overflowed: 0 });
      // A single number has no axes.
      if (one.shape.length === 0 && style === 'json') expect(found.shape).toEqual([1, 1]);
      else if (!isTable) expect(found.shape).toEqual(one.shape);
      else expect(found.shape.slice(-2)).toEqual([one.shape.at(-2) ?? 1, one.shape.at(-1) ?? 1]);
      if (style === 'json') {
        expect(await readBytes('x.json', bytesFrom(text))).toEqual([{ ...found, shape: one.shape }]);
      }
      if (style === 'commas') expect(await readBytes('x.csv', bytesFrom(text))).toEqual([found]);
    }),
    RUNS,
  );
});

const geometry: fc.Arbitrary<Geometry> = fc
  .record({
    layout: fc.constantFrom('nhwc', 'nchw'),
    ...{
      n: size,
      h: size,
      w: size,
      group_c: size,
      group_k: size,
      kh: size,
      kw: size,
      groups: size,
      oh: size,
      ow: size,
    },
    ...{ stride_h: size, stride_w: size, dilation_h: size, dilation_w: size },
    padding: fc.record({ top: size, bottom: size, left: size, right: size }),
  })
  .map((sizes) => ({
    ...sizes,
    ...{ c: sizes.group_c * sizes.groups, k: sizes.group_k * sizes.groups },
    ...{ dilated_kh: 0, dilated_kw: 0, remainder_h: 0, remainder_w: 0 },
  })) as fc.Arbitrary<Geometry>;

test('reads 1,000 case files back, with the convolution', async () => {
  const finite = fc.float({ noNaN: true, noDefaultInfinity: true });
  await fc.assert(
    fc.asyncProperty(
      geometry,
      fc.array(finite, { minLength: 1, maxLength: 9 }),
      fc.boolean(),
      async (g, some, bias) => {
        const filled = (count: number) =>
          Float32Array.from({ length: count }, (_, index) => some[index % some.length] ?? 0);
        const [x, w, y] = [g.n * g.h * g.w * g.c, g.kh * g.kw * g.group_c * g.k, g.n * g.oh * g.ow * g.k].map(filled);
        if (!x || !w || !y) throw new Error('three tensors');
        const text = writeCase({
          name: 'a "case"',
          geometry: g,
          inputs: { x, w, b: bias ? filled(g.k) : null, dy: y },
          results: { y, dx: x, dw: w, db: filled(g.k) },
          atol: { y: 1e-6, dx: 1e-6, dw: 1e-6, db: 1e-6 },
          link: 'h=5&lesson="a"',
        });
        if (typeof text !== 'string') throw new Error(text.refusal.reason);
        expect(JSON.parse(text)).toMatchObject({ name: 'a "case"', atol: 1e-6 });
        const opened = await openFile(sourceOf('case.json', bytesFrom(text)));
        if ('refusal' in opened) throw new Error(opened.refusal.reason);
        const { layout, n, h, w: wide, c, k, kh, kw, stride_h, stride_w, dilation_h, dilation_w, groups, padding } = g;
        expect(opened.link).toBe('h=5&lesson="a"');
        expect(opened.desc).toEqual({
          ...{ layout, n, h, w: wide, c, k, kh, kw, stride_h, stride_w, dilation_h, dilation_w, groups, padding },
          padding_mode: 'explicit_sides',
        });
        const read = await Promise.all(opened.tensors.map((listed) => listed.read()));
        const named = new Map(read.flatMap((one) => ('refusal' in one ? [] : [[one.name, one.values] as const])));
        expect(named.get('x')).toEqual(same(x));
        expect(named.get('dw')).toEqual(same(w));
        expect(named.get('dy')).toEqual(same(y));
        expect(named.has('b')).toBe(bias);
      },
    ),
    RUNS,
  );
});
