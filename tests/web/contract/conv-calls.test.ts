// Wrong calls of the JavaScript API: each is rejected with a code, the field that the caller wrote, and the values it may have.

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Backward, type Conv, type ConvFailure, createConv, type Forward } from '../../../web/package/index';
import { errorOf } from './support';

const floats = (length: number): Float32Array => new Float32Array(length).fill(1);
const x = { shape: [1, 4, 4, 2], data: floats(32) } as const;
const w = { shape: [3, 3, 2, 1], data: floats(18) } as const;
const dy = { shape: [1, 2, 2, 1], data: floats(4) } as const;

/** Internal names, which must not appear in messages. */
const INTERNAL = /padding_mode|explicit_sides[^"]|_[hw]\b|backward_|asked/;

let conv: Conv;
beforeAll(async () => {
  conv = await createConv({ build: 'simd' });
});
afterAll(() => conv.dispose());
afterEach(() => vi.restoreAllMocks());

type Row = readonly [what: string, change: object, code: string, field: string, ...said: readonly string[]];

const PADDING = "'valid', 'same', 'full', a whole number, or { top, bottom, left, right }";
const PER_AXIS = 'a whole number or [vertical, horizontal]';
const FORWARD: readonly Row[] = [
  ['a stride as text', { stride: '2' }, 'invalid_argument', 'stride', '"2"', PER_AXIS],
  ['a null stride', { stride: null }, 'invalid_argument', 'stride', 'null', PER_AXIS],
  ['a stride as an object', { stride: { h: 1 } }, 'invalid_argument', 'stride', PER_AXIS],
  ['half a stride', { stride: 1.5 }, 'invalid_argument', 'stride', '1.5', PER_AXIS],
  ['a list of one stride', { stride: [1] }, 'invalid_argument', 'stride', 'length 1', PER_AXIS],
  ['text in a list of strides', { stride: [1, '2'] }, 'invalid_argument', 'stride', 'stride[1] is the string "2"'],
  ['stride 0', { stride: 0 }, 'invalid_stride', 'stride', 'at least 1'],
  ['a horizontal stride of 0', { stride: [1, 0] }, 'invalid_stride', 'stride', 'horizontal stride is 0'],
  ['a huge stride', { stride: 2 ** 60 }, 'overflow', 'stride', '2^53'],
  ['half a dilation', { dilation: [1, 0.5] }, 'invalid_argument', 'dilation', 'dilation[1] is 0.5'],
  ['a negative dilation', { dilation: -1 }, 'invalid_dilation', 'dilation', 'at least 1'],
  ['a dilation that is too large', { dilation: 5 }, 'kernel_too_large', 'w.shape', 'lower kh or dilation, or add'],
  ["padding 'SAME'", { padding: 'SAME' }, 'invalid_argument', 'padding', '"SAME"', PADDING],
  ["padding 'explicit_sides'", { padding: 'explicit_sides' }, 'invalid_argument', 'padding', PADDING],
  ['padding as a list', { padding: [1, 1] }, 'invalid_argument', 'padding', 'a list', PADDING],
  ['null padding', { padding: null }, 'invalid_argument', 'padding', PADDING],
  ['padding true', { padding: true }, 'invalid_argument', 'padding', PADDING],
  ['half a cell of padding', { padding: 0.5 }, 'invalid_argument', 'padding', PADDING],
  ['a negative padding', { padding: -1 }, 'invalid_padding', 'padding', 'at least 0'],
  ['a negative side', { padding: { left: -1 } }, 'invalid_padding', 'padding.left', 'at least 0'],
  ['a side as text', { padding: { top: '1' } }, 'invalid_argument', 'padding.top', '"1"', 'whole number'],
  ['an unknown side', { padding: { up: 1 } }, 'invalid_argument', 'padding.up', 'top, bottom, left and right'],
  ['groups as text', { groups: '2' }, 'invalid_argument', 'groups', '"2"', 'whole number'],
  ['groups that do not divide', { groups: 3 }, 'invalid_groups', 'groups', '3 groups', '2 input channels'],
  ['a layout in capitals', { layout: 'NHWC' }, 'invalid_argument', 'layout', '"NHWC"', 'nhwc, nchw'],
  ['x as a list', { x: [1, 2] }, 'invalid_argument', 'x', 'a list', '{ shape: [n, h, w, c], data }'],
  ['x without a shape', { x: x.data }, 'invalid_argument', 'x', 'a Float32Array', '{ shape: [n, h, w, c], data }'],
  ['x undefined', { x: undefined }, 'invalid_argument', 'x', 'x is missing', 'needs x, w'],
  ['three sizes', { x: { ...x, shape: [4, 4, 2] } }, 'invalid_argument', 'x.shape', '[n, h, w, c]'],
  [
    'three sizes in nchw',
    { layout: 'nchw', w: { ...w, shape: [1, 2, 3] } },
    'invalid_argument',
    'w.shape',
    '[k, c / groups, kh, kw]',
  ],
  ['typed sizes', { x: { ...x, shape: Int32Array.of(1, 4, 4, 2) } }, 'invalid_argument', 'x.shape', 'an Int32Array'],
  ['NaN for a size', { x: { ...x, shape: [1, 4, Number.NaN, 2] } }, 'invalid_argument', 'x.shape', 'x.shape[2]'],
  ['a negative size', { x: { ...x, shape: [1, 4, -4, 2] } }, 'invalid_size', 'x.shape', 'input width is -4'],
  ['huge sizes', { x: { ...x, shape: [1, 2 ** 40, 2 ** 40, 2] } }, 'overflow', 'x.shape', 'make the sizes'],
  ['no kernel', { w: { shape: [0, 1, 2, 1], data: floats(0) } }, 'invalid_size', 'w.shape', 'kernel height is 0'],
  [
    'a kernel that is too large',
    { w: { shape: [5, 1, 2, 1], data: floats(10) } },
    'kernel_too_large',
    'w.shape',
    'padding',
  ],
  [
    'weights of other channels',
    { w: { ...w, shape: [3, 3, 1, 2] } },
    'channel_mismatch',
    'w.shape',
    'need 3 x 3 x 2 x 2',
  ],
  [
    'a Float64Array',
    { x: { ...x, data: new Float64Array(32) } },
    'invalid_argument',
    'x.data',
    'must be a Float32Array',
  ],
  ['too few values', { x: { ...x, data: floats(31) } }, 'length_mismatch', 'x.data', '31', '1 x 4 x 4 x 2 needs 32'],
  ['a list for b', { b: [1] }, 'invalid_argument', 'b', 'Float32Array'],
  ['null for b', { b: null }, 'invalid_argument', 'b', 'null'],
  ['0 for b', { b: 0 }, 'invalid_argument', 'b', 'b is 0'],
  ['b for other filters', { b: floats(2) }, 'length_mismatch', 'b', 'needs 1'],
  ['an unknown algorithm', { algorithm: 'guess' }, 'unknown_algorithm', 'algorithm', 'reference'],
  ['a number for an algorithm', { algorithm: 5 }, 'invalid_argument', 'algorithm', 'from algorithms()'],
  ['an unsupported algorithm', { algorithm: 'depthwise' }, 'unsupported', 'algorithm', 'groups = c'],
  ['an unknown field', { strides: 2 }, 'invalid_argument', 'strides', 'conv.forward has no strides', 'stride,'],
  ['a short out', { out: floats(3) }, 'length_mismatch', 'out', '1 x 2 x 2 x 1 needs 4'],
  ['an out of doubles', { out: new Float64Array(4) }, 'invalid_argument', 'out', 'must be a Float32Array'],
  ['an out within x', { out: x.data.subarray(28) }, 'invalid_argument', 'out', 'shares memory with x.data'],
  ['an out within w', { out: w.data.subarray(1, 5) }, 'invalid_argument', 'out', 'shares memory with w.data'],
];

const BACKWARD: readonly Row[] = [
  ['of as text', { of: 'dx' }, 'invalid_argument', 'of', 'list of some of dx, dw, db'],
  ['an unknown gradient', { of: ['dx', 'dz'] }, 'invalid_argument', 'of', '"dz"', 'dx, dw, db'],
  ['undefined in of', { of: [undefined] }, 'invalid_argument', 'of', 'dx, dw, db'],
  ['a missing dy', { dy: undefined }, 'invalid_argument', 'dy', 'dy is missing'],
  [
    'a dy of another shape',
    { dy: { shape: [1, 3, 3, 1], data: floats(9) } },
    'input_size_mismatch',
    'dy.shape',
    'dy is 1 x 3 x 3 x 1, but x and w give 1 x 2 x 2 x 1',
  ],
  ['too many values of dy', { dy: { ...dy, data: floats(9) } }, 'length_mismatch', 'dy.data', 'needs 4'],
  ['a bias', { b: floats(1) }, 'invalid_argument', 'b', 'conv.backward has no b'],
  ['algorithm as text', { algorithm: 'direct' }, 'invalid_argument', 'algorithm', 'object', 'dx, dw, db'],
  ['an unknown algorithm', { algorithm: { dw: 'guess' } }, 'unknown_algorithm', 'algorithm.dw', 'dw has no algorithm'],
  ['an algorithm for y', { algorithm: { y: 'direct' } }, 'invalid_argument', 'algorithm.y', 'dx, dw, db'],
  ['out as an array', { out: floats(4) }, 'invalid_argument', 'out', 'a Float32Array', 'object', 'dx, dw, db'],
  [
    'an out for a gradient that is not computed',
    { of: ['dx'], out: { dw: floats(18) } },
    'invalid_argument',
    'out.dw',
    'may have dx',
  ],
  ['a long out', { out: { db: floats(2) } }, 'length_mismatch', 'out.db', 'needs 1'],
  ['w as the out of dw', { out: { dw: w.data } }, 'invalid_argument', 'out.dw', 'shares memory with w.data'],
  ['an out within dy', { out: { db: dy.data.subarray(0, 1) } }, 'invalid_argument', 'out.db', 'dy.data'],
];

const named = (rows: readonly Row[]) => rows.map((row) => ({ what: row[0], row }));

function expectRefused(act: () => unknown, [what, , code, field, ...said]: Row): void {
  const error = errorOf(act);
  expect([error.code, error.field], what).toEqual([code, field]);
  for (const words of said) expect(error.message, what).toContain(words);
  expect(`${error.field} ${error.message}`, what).not.toMatch(INTERNAL);
}

describe('the API rejects', () => {
  test.each(named(FORWARD))('in forward $what', ({ row }) => {
    expectRefused(() => conv.forward({ x, w, ...row[1] } as Forward), row);
  });

  test.each(named(BACKWARD))('in backward $what', ({ row }) => {
    expectRefused(() => conv.backward({ x, w, dy, ...row[1] } as Backward), row);
  });

  test.each([
    ['nothing', undefined, 'nothing'],
    ['null', null, 'null'],
    ['a list', [x, w], 'a list'],
    ['an array of floats', x.data, 'a Float32Array'],
  ])('%s in place of an object', (_, given, said) => {
    const error = errorOf(() => conv.forward(given as unknown as Forward));
    expect(error).toMatchObject({ code: 'invalid_argument', field: '' });
    expect(error.message).toBe(`conv.forward was given ${said}, but takes an object { x, w, ... }`);
  });

  test('an unknown result and an unknown field of algorithms', () => {
    const all = { x, w, of: 'y' } as const;
    expectRefused(() => conv.algorithms({ ...all, of: 'dz' as 'dx' }), ['of', {}, 'invalid_argument', 'of', 'y, dx']);
    expectRefused(() => conv.algorithms({ ...all, dy } as never), ['dy', {}, 'invalid_argument', 'dy', 'has no dy']);
  });

  test('an unknown algorithm, a wrong bias and an unknown field of prepare', () => {
    const row = ['', {}, 'unknown_algorithm', 'algorithm.db', 'db has no algorithm "gemm"'] as const;
    expectRefused(() => conv.prepare({ x, w, algorithm: { db: 'gemm' } }), row);
    expectRefused(() => conv.prepare({ x, w, b: floats(2) }), ['', {}, 'length_mismatch', 'b', 'needs 1']);
    expectRefused(() => conv.prepare({ x, w, dy } as never), ['', {}, 'invalid_argument', 'dy', 'conv.prepare']);
  });

  test('without writing into out or changing the engine', () => {
    const before = conv.forward({ x, w });
    const out = floats(4).fill(7);
    for (const [, change] of FORWARD) expect(() => conv.forward({ x, w, out, ...change } as Forward)).toThrow();
    expect(out).toEqual(floats(4).fill(7));
    expect(conv.forward({ x, w })).toEqual(before);
  });
});

describe('the API accepts', () => {
  test('undefined fields, tensors with more fields, and arrays of another realm', async () => {
    const { runInNewContext } = await import('node:vm');
    const expected = conv.forward({ x, w });
    const data = runInNewContext('new Float32Array(32).fill(1)') as Float32Array;
    expect(data).not.toBeInstanceOf(Float32Array);
    class Named {
      readonly name = 'x';
      get shape() {
        return x.shape;
      }
      get data() {
        return data;
      }
    }
    const none = { b: undefined, stride: undefined, padding: { top: undefined }, algorithm: undefined, out: undefined };
    expect(conv.forward({ x: new Named(), w, ...none } as unknown as Forward)).toEqual(expected);
  });
});

describe('createConv', () => {
  const refusal = async (options: unknown): Promise<ConvFailure> =>
    createConv(options as object).then(
      () => expect.fail('an engine was made'),
      (thrown) => thrown,
    );

  test.each([
    [null, 'options', 'must be an object'],
    ['relaxed', 'options', 'must be an object'],
    [{ speed: 2 }, 'speed', 'build and threads'],
    [{ build: 'fast' }, 'build', 'simd, relaxed, threads'],
    [{ threads: '4' }, 'threads', 'whole number'],
    [{ threads: 0 }, 'threads', 'from 1 to 64'],
    [{ threads: 65 }, 'threads', 'from 1 to 64'],
    [{ build: 'threads' }, 'threads', '2 or more'],
    [{ build: 'simd', threads: 2 }, 'threads', 'one thread'],
  ])('rejects %o', async (options, field, said) => {
    const { code, field: named, message } = await refusal(options);
    expect([code, named]).toEqual(['invalid_argument', field]);
    expect(message).toContain(said);
  });

  test('rejects a build that needs relaxed SIMD if the engine has none, without printing to the console', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    for (const options of [{ build: 'relaxed' }, { build: 'threads', threads: 2 }] as const) {
      // The first check is for relaxed SIMD, the second for plain SIMD.
      vi.spyOn(WebAssembly, 'validate').mockReturnValueOnce(false);
      const { code, field, message } = await refusal(options);
      expect([code, field]).toEqual(['unsupported', 'build']);
      expect(message).toContain(
        'this JavaScript engine has no relaxed SIMD (Node 20: --experimental-wasm-relaxed-simd)',
      );
    }
    expect(said).not.toHaveBeenCalled();
  });

  test.each([{}, { build: 'simd' }, { build: 'relaxed' }, { threads: 2 }] as const)(
    'rejects %o where the engine has no SIMD',
    async (options) => {
      vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
      const { code, message } = await refusal(options);
      expect(code).toBe('unsupported');
      expect(message).toContain('no WebAssembly SIMD');
    },
  );

  test('without shared memory rejects the build threads, and uses one thread without a named build', async () => {
    vi.stubGlobal('crossOriginIsolated', false);
    const { code, field, message } = await refusal({ build: 'threads', threads: 2 });
    const conv = await createConv({ threads: 2 });
    vi.unstubAllGlobals();
    expect([code, field]).toEqual(['unsupported', 'build']);
    expect(message).toContain('no shared memory');
    expect(message).toContain('Cross-Origin-Embedder-Policy');
    expect([conv.build, conv.threads]).toEqual(['relaxed', 1]);
    conv.dispose();
  });

  test('without the files of threads rejects the build threads, and uses one thread without a named build', async () => {
    const Real = URL;
    class WithoutThreads extends Real {
      constructor(address: string | URL, base?: string | URL) {
        if (String(address).includes('conv2d-threads')) throw new Error('left behind');
        super(address, base);
      }
    }
    vi.stubGlobal('URL', WithoutThreads);
    const { code, field, message } = await refusal({ build: 'threads', threads: 2 });
    const conv = await createConv({ threads: 2 });
    vi.unstubAllGlobals();
    expect([code, field]).toEqual(['module_unavailable', 'build']);
    expect(message).toContain('leave build out');
    expect([conv.build, conv.threads]).toEqual(['relaxed', 1]);
    conv.dispose();
  });
});
