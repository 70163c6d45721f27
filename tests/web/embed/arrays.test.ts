import { describe, expect, it } from 'vitest';
import { fieldsOfArrays } from '../../../web/src/embed/arrays';
import { type GivenFields, linkFromFields } from '../../../web/src/embed/protocol';
import { parseLink } from '../../../web/src/link/parse-link';
import { partsOf } from '../support/problems';

type Arrays = Readonly<Record<string, unknown>>;

/** The problem of a state with arrays. The link has no part that its reader ignores. */
function opens(arrays: Arrays, stated: GivenFields = {}, kept: GivenFields = {}) {
  const read = fieldsOfArrays(arrays, stated, kept);
  if (typeof read === 'string') throw new Error(read);
  const { problem, complaints } = parseLink(linkFromFields({ ...kept, ...stated, ...read }));
  expect(complaints).toEqual([]);
  return partsOf(problem);
}

const refusal = (arrays: Arrays, stated: GivenFields = {}, kept: GivenFields = {}) =>
  fieldsOfArrays(arrays, stated, kept);

const counting = (length: number, from = 1) => Array.from({ length }, (_, i) => from + i);

describe('the types of arrays', () => {
  const flat: GivenFields = { h: '2', kh: '1' };
  const sized: GivenFields = { kh: '1' };
  it.each<readonly [string, unknown, GivenFields]>([
    ['a list', [1, 2, 3, 4], flat],
    ['float32', Float32Array.of(1, 2, 3, 4), flat],
    ['float64', Float64Array.of(1, 2, 3, 4), flat],
    ['bytes', Uint8ClampedArray.of(1, 2, 3, 4), flat],
    ['64 bits', BigInt64Array.of(1n, 2n, 3n, 4n), flat],
    ['typed rows', [Int16Array.of(1, 2), Int16Array.of(3, 4)], sized],
    [
      'four axes',
      [
        [
          [[1], [2]],
          [[3], [4]],
        ],
      ],
      sized,
    ],
    ['an answer', { shape: [1, 2, 2, 1], values: [1, 2, 3, 4] }, sized],
    ['a shape of typed values', { shape: [2, 2], values: Float32Array.of(1, 2, 3, 4) }, sized],
    [
      'nested values',
      {
        values: [
          [
            [[1], [2]],
            [[3], [4]],
          ],
        ],
      },
      sized,
    ],
  ])('%s', (_what, x, stated) => {
    const { desc, x: read } = opens({ x }, stated);
    expect([desc.n, desc.h, desc.w, desc.c, ...read.data]).toEqual([1, 2, 2, 1, 1, 2, 3, 4]);
  });

  it('rounds to float32', () => {
    expect([...opens({ x: [[0.1]] }, { kh: '1' }).x.data]).toEqual([Math.fround(0.1)]);
  });
});

describe('four axes', () => {
  it('set all sizes, in the order of the layout', () => {
    // Each filter reads 2 of 6 channels: 3 groups.
    const x = { shape: [2, 3, 4, 6], values: counting(144) };
    const { desc } = opens({ x, weights: { shape: [3, 2, 2, 9], values: counting(108) } });
    expect(desc).toMatchObject({ layout: 'nhwc', n: 2, h: 3, w: 4, c: 6, kh: 3, kw: 2, k: 9, groups: 3 });
    const planes = opens(
      { x: { shape: [2, 6, 3, 4], values: counting(144) }, weights: { shape: [9, 2, 3, 2], values: counting(108) } },
      { layout: 'nchw' },
    );
    expect(planes.desc).toMatchObject({ layout: 'nchw', n: 2, h: 3, w: 4, c: 6, kh: 3, kw: 2, k: 9, groups: 3 });
    expect([...planes.x.data, ...planes.w.data]).toEqual([...counting(144), ...counting(108)]);
  });

  it('are put into the layout of the problem, if they are named', () => {
    // x [1,2,1,3] NCHW: channel 0 is 1 2 3, channel 1 is 4 5 6.
    const x = { shape: [1, 2, 1, 3], values: [1, 2, 3, 4, 5, 6], axes: 'NCHW' };
    expect([...opens({ x }, { kh: '1' }).x.data]).toEqual([1, 4, 2, 5, 3, 6]);
    expect([...opens({ x }, { kh: '1', layout: 'nchw' }).x.data]).toEqual([1, 2, 3, 4, 5, 6]);
    const last = {
      values: [
        [
          [
            [1, 4],
            [2, 5],
            [3, 6],
          ],
        ],
      ],
      axes: 'nhwc',
    };
    expect([...opens({ x: last }, { kh: '1', layout: 'nchw' }).x.data]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each([
    // w[tap row 0][tap col j][channel i][filter o] = 100 j + 10 i + o, with 2 columns, 2 channels and 3 filters.
    ['HWIO', [1, 2, 2, 3], [0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112]],
    ['OIHW', [3, 2, 1, 2], [0, 100, 10, 110, 1, 101, 11, 111, 2, 102, 12, 112]],
    ['OHWI', [3, 1, 2, 2], [0, 10, 100, 110, 1, 11, 101, 111, 2, 12, 102, 112]],
  ])('of weights can be %s', (axes, shape, values) => {
    const { desc, w } = opens({ weights: { shape, values, axes } });
    expect(desc).toMatchObject({ c: 2, kh: 1, kw: 2, k: 3, groups: 1 });
    expect([...w.data]).toEqual([0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112]);
    const planes = opens({ weights: { shape, values, axes } }, { layout: 'nchw' });
    expect([...planes.w.data]).toEqual([0, 100, 10, 110, 1, 101, 11, 111, 2, 102, 12, 112]);
  });

  it('of dy are those of y', () => {
    // y [1,1,2,2]: one row, two columns, two filters.
    const arrays = { x: [[1, 2]], weights: { shape: [1, 1, 1, 2], values: [1, 1] } };
    const dyOf = (dy: unknown) =>
      (opens({ ...arrays, dy }).loss as { readonly dy: { readonly data: Float32Array } }).dy;
    expect([...dyOf({ shape: [1, 1, 2, 2], values: [1, 2, 3, 4] }).data]).toEqual([1, 2, 3, 4]);
    expect([...dyOf({ shape: [1, 2, 1, 2], values: [1, 2, 3, 4], axes: 'NCHW' }).data]).toEqual([1, 3, 2, 4]);
    expect([...dyOf([1, 2, 3, 4]).data]).toEqual([1, 2, 3, 4]);
  });

  it('of a bias are those of an answer, and set the number of filters', () => {
    const { desc, b } = opens({ bias: { shape: [1, 1, 1, 3], values: [1, 2, 3] } });
    expect([desc.k, ...(b?.data ?? [])]).toEqual([3, 1, 2, 3]);
  });
});

it('a matrix sets its sizes, unless the state has them', () => {
  const x = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  const { desc, x: read, w } = opens({ x, weights: [[0.5]] });
  expect(desc).toMatchObject({ h: 2, w: 3, kh: 1, kw: 1 });
  expect([...read.data, ...w.data]).toEqual([1, 2, 3, 4, 5, 6, 0.5]);
  expect(opens({ x }, { h: '3', w: '2', kh: '1' }).desc).toMatchObject({ h: 3, w: 2 });
});

it('leaves the sizes of the frame that no array sets', () => {
  const kept = { v: '2', h: '7', w: '7', kh: '3', kw: '3', c: '2', k: '4', stride: '2', x: 'ramp', weights: 'ones' };
  const { desc } = opens(
    {
      x: [
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
        ],
      ],
    },
    { kh: '2', kw: '2' },
    kept,
  );
  expect(desc).toMatchObject({ h: 2, w: 2, c: 2, k: 4, kh: 2, stride_h: 2 });
  expect(desc.groups).toBe(1);
});

it('leaves the other sizes of a network to the reader of links', () => {
  const layers = { 'layer.2': 'relu' };
  const read = fieldsOfArrays(
    {
      x: [
        [1, 2],
        [3, 4],
      ],
      weights: [[1, 2]],
      dy: [1],
    },
    layers,
  );
  expect(Object.keys(read)).toEqual(['h', 'w', 'n', 'c', 'x', 'kh', 'kw', 'k', 'weights', 'dy']);
  // c is that of the network's input, which is no matter of these weights.
  const weights = fieldsOfArrays({ weights: { shape: [1, 1, 2, 3], values: counting(6) } }, layers);
  expect(Object.keys(weights)).toEqual(['kh', 'kw', 'k', 'weights']);
});

describe('a refusal names the field and says how to mend it', () => {
  const four = { shape: [1, 2, 2, 2], values: counting(8) };
  it.each<[string, Arrays, GivenFields, string]>([
    ['another field', { h: [5] }, {}, 'h takes no array: only x, weights, bias and dy do. Send a string or a number.'],
    ['a result', { dx: four }, {}, 'dx takes no array: only x, weights, bias and dy do. Send a string or a number.'],
    [
      'w',
      { w: four },
      {},
      'w takes no array: only x, weights, bias and dy do. w is the width. Send the weights as "weights".',
    ],
    [
      'an object',
      { x: { data: [1] } },
      {},
      'x must be an array of numbers, flat or nested, or an object { shape, values }.',
    ],
    [
      'undefined',
      { x: undefined },
      {},
      'x must be an array of numbers, flat or nested, or an object { shape, values }.',
    ],
    ['a text', { x: [[1, '2']] }, {}, 'x[0][1] is "2", but must be a number.'],
    [
      'a hidden value',
      { dy: { shape: [2], values: [1, null] } },
      {},
      'dy.values[1] is null, as a hidden value is, but must be a number.',
    ],
    ['an object inside', { x: [{}] }, {}, 'x[0] is of type object, but must be a number.'],
    [
      'rows of two lengths',
      { weights: [[1, 2], [3]] },
      {},
      'weights[1] has the length 1, but those before it 2. Send rows of one length.',
    ],
    ['a number beside rows', { x: [[1, 2], 3] }, {}, 'x[1] is a number, but must be a list of 2 as the others are.'],
    ['a row beside numbers', { x: [1, [2]] }, {}, 'x[1] is a list, but must be a number as the others are.'],
    ['five axes', { x: [[[[[1]]]]] }, {}, 'x[0][0][0][0] is a fifth axis. Send at most four.'],
    ['no values', { bias: [] }, {}, 'bias has no values. Send at least one.'],
    ['no values in rows', { x: [[], []] }, {}, 'x has no values. Send at least one.'],
    [
      'a shape that is none',
      { x: { shape: [2, 0.5], values: [1] } },
      {},
      'x.shape must be a list of one to four whole numbers of at least 1.',
    ],
    [
      'a shape of other values',
      { x: { shape: [2, 3], values: counting(5) } },
      {},
      'x.shape is [2, 3], which is 6 values, but x.values has 5.',
    ],
    [
      'unknown axes',
      { x: { ...four, axes: 'NHCW' } },
      {},
      'x.axes is "NHCW" for the shape [1, 2, 2, 2], but must have a letter for each axis: NHWC, NCHW, HWC, CHW, NHW, HW.',
    ],
    [
      'axes of another number',
      { weights: { ...four, axes: 'HW' } },
      {},
      'weights.axes is "HW" for the shape [1, 2, 2, 2], but must have a letter for each axis: HWIO, OIHW, OHWI, HWO, OHW, HWI, IHW, HW, OI, IO.',
    ],
    [
      'weights with three axes',
      { weights: [[[1]]] },
      {},
      'weights has three axes, which can be several things. Name them, as in { shape, values, axes: "HWO" }, or send four.',
    ],
    [
      'a size of the state',
      { x: four },
      { c: '3' },
      'x has c = 2, but the state has c = 3. Leave c out, or send x in that size.',
    ],
    [
      'a size by its short name',
      { weights: four },
      { kernel: '2' },
      'weights has kh = 1, but the state has kh = 2. Leave kh out, or send weights in that size.',
    ],
    [
      'groups of the state',
      { x: four, weights: { shape: [1, 1, 1, 2], values: [1, 2] } },
      { groups: '1' },
      'weights has groups = 2, but the state has groups = 1. Leave groups out, or send weights in that size.',
    ],
    [
      'channels',
      { x: four, weights: { shape: [1, 1, 3, 2], values: counting(6) } },
      {},
      'weights has I = 3 and O = 2 (HWIO), but x has 2 channels. Send I = c / groups, with a number of groups that divides O.',
    ],
    [
      'a flat list',
      { x: counting(5) },
      { h: '2', kh: '1' },
      'x has the length 5, but must have 4 for [1, 2, 2, 1] (NHWC). Send that many values, or an array with its axes.',
    ],
    [
      'a bias of other filters',
      { weights: { shape: [1, 1, 1, 2], values: [1, 2] }, bias: [1] },
      {},
      'bias has the length 1, but must have 2: a value for each filter.',
    ],
    [
      'dy of another shape',
      { x: four, dy: four },
      { kh: '1', k: '3' },
      'dy is [1, 2, 2, 2] (NHWC), but must be [1, 2, 2, 3] (NHWC).',
    ],
    [
      'too many values',
      { x: { shape: [1, 200, 200, 1], values: Array(40_000).fill(0.5) } },
      {},
      'x is too long: all fields together have at most 131,072 characters, as a link. Send fewer values.',
    ],
  ])('%s', (_what, arrays, stated, sentence) => {
    expect(refusal(arrays, stated)).toBe(sentence);
  });

  it('in sizes with a short name', () => {
    // y is 2 x 2 at a stride of 2, and 3 x 3 at 1.
    expect(refusal({ dy: counting(9) }, { h: '5', kh: '3', s: '2' })).toContain('must have 4 for [1, 2, 2, 1]');
  });

  it('in the sizes that the frame keeps', () => {
    expect(refusal({ dy: counting(3) }, {}, { h: '3', kh: '2' })).toBe(
      'dy has the length 3, but must have 4 for [1, 2, 2, 1] (NHWC). Send that many values, or an array with its axes.',
    );
  });

  it('which the reader of links does, if no size fits', () => {
    const read = refusal({
      x: [
        [1, 2],
        [3, 4],
      ],
      dy: [1],
    });
    if (typeof read === 'string') throw new Error(read);
    expect(parseLink(linkFromFields(read)).complaints).toEqual([expect.stringContaining('kh is 3, but')]);
  });
});
