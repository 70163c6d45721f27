import { describe, expect, test } from 'vitest';
import { misfitTexts, solutionText } from '../../../web/src/app/numbers/Solutions';
import { type Solution, solutionsOf } from '../../../web/src/app/numbers/solve';
import type { FileContents, TensorHeader } from '../../../web/src/formats/format';
import { openFile } from '../../../web/src/formats/formats';
import { resolvePadding } from '../../../web/src/protocol/shapes';
import { openingProblem } from '../../../web/src/state/problem';
import { bytesOfMade, textOfMade } from '../formats/read';
import { sourceOf } from '../formats/source';

/** Layers as training programs save them: made by PyTorch, with the geometry of each (formats/made/layers). */

interface Layer {
  /** Axis orders of x, w and y. */
  readonly orders: readonly [x: string, w: string, y: string];
  readonly n: number;
  readonly stride: readonly number[];
  readonly dilation: readonly number[];
  /** top, bottom, left, right */
  readonly padding: readonly number[];
  readonly unique: boolean;
}

const layers = JSON.parse(textOfMade('layers/layers.json')) as Record<string, Layer>;
const { desc: page } = openingProblem();

async function openLayer(file: string): Promise<FileContents> {
  const opened = await openFile(sourceOf(file, bytesOfMade(`layers/${file}`)));
  if ('refusal' in opened) throw new Error(opened.refusal.reason);
  return opened;
}

/** The solution in the form of layers.json. */
function layerOf({ desc, offers }: Solution) {
  const { n, h, w, c, k, kh, kw, groups, stride_h, stride_w, dilation_h, dilation_w } = desc;
  const { top, bottom, left, right } = resolvePadding(desc);
  return {
    orders: (['x', 'w', 'y'] as const).map((target) => offers[target]?.reading?.name),
    ...{ n, h, w, c, k, kh, kw, groups },
    ...{ stride: [stride_h, stride_w], dilation: [dilation_h, dilation_w], padding: [top, bottom, left, right] },
  };
}

const firstOf = (contents: FileContents, before = page): Solution => {
  const [first] = solutionsOf(contents, {}, before);
  if (!first) throw new Error('there is always a solution');
  return first;
};

describe.each(Object.entries(layers))('%s', (file, { unique, ...layer }) => {
  test(unique ? 'has its geometry first' : 'has its geometry among the first three', async () => {
    const found = solutionsOf(await openLayer(file), {}, page).map(layerOf);
    expect(found.slice(0, unique ? 1 : 3)).toContainEqual(layer);
  });

  test('leaves no array out', async () => {
    const contents = await openLayer(file);
    const { offers, desc } = firstOf(contents);
    expect(
      Object.values(offers)
        .map(({ tensor }) => tensor)
        .sort(),
    ).toEqual(contents.tensors.map((_, i) => i));
    expect(misfitTexts(firstOf(contents))).toEqual([]);
    // The page then shows the tensors in the order of the file.
    expect(desc.layout).toBe(layer.orders[0] === 'NCHW' && layer.orders[1] === 'OIHW' ? 'nchw' : 'nhwc');
  });
});

test('most of the files are unique, and the rest are there for each way in which they are not', () => {
  const counts = Object.values(layers).map(({ unique }) => unique);
  expect([counts.length, counts.filter(Boolean).length]).toEqual([23, 13]);
});

test('says what each solution implies', async () => {
  const textsOf = async (file: string) => solutionsOf(await openLayer(file), {}, page).map(solutionText);
  expect((await textsOf('stride-groups.npz'))[0]).toBe(
    'PyTorch (NCHW, OIHW), stride 2, padding 1, 2 groups: y is [2, 6, 3, 4]',
  );
  expect(await textsOf('dilated.npz')).toContain(
    'PyTorch (NCHW, OIHW), stride 1, padding 2, dilation 2: y is [2, 3, 9, 8]',
  );
  expect((await textsOf('keras-same.npz'))[0]).toBe(
    'TensorFlow (NHWC, HWIO), stride 2, padding 0 above, 1 below, 0 left and 1 right: y is [2, 4, 5, 4]',
  );
  expect((await textsOf('mixed.npz'))[0]).toBe('x NCHW, w HWIO, y NHWC, stride 1, padding 1: y is [2, 7, 8, 5]');
  expect((await textsOf('depthwise.npz'))[0]).toMatch(/padding 1, depthwise \(4 groups\): y is/);
  expect((await textsOf('kernel-5x3.npz'))[0]).toMatch(/stride 1, padding 2 × 1: y is/);
  // With the arguments in the file there is nothing to choose.
  for (const file of ['arguments.npz', 'metadata.safetensors']) {
    expect(await textsOf(file)).toEqual([
      'PyTorch (NCHW, OIHW), stride 2 × 1, padding 2 above, 0 below, 0 left and 1 right: y is [1, 3, 3, 6]',
    ]);
  }
});

const contentsOf = (shapes: Readonly<Record<string, readonly number[]>>, given: FileContents['given'] = {}) => ({
  tensors: Object.entries(shapes).map(([name, shape]) => ({ name, shape }) as unknown as TensorHeader),
  ...{ notes: [], desc: null, given, link: '' },
});

/** The layer of stride-groups.npz. */
const LAYER = { x: [2, 4, 6, 7], w: [6, 2, 3, 3], b: [6], y: [2, 6, 3, 4], dy: [2, 6, 3, 4] };

test.each([
  [{}, []],
  [
    { y: [2, 5, 3, 4], dy: [2, 5, 3, 4] },
    [/^y is \[2, 5, 3, 4\]: axis 2 \(C\) is 5, but w has 6 filters\.$/, /^dy is/],
  ],
  [{ dy: [2, 6, 4, 3] }, ['dy is [2, 6, 4, 3], but y is [2, 6, 3, 4].']],
  [{ y: [3, 6, 3, 4] }, ['y is [3, 6, 3, 4]: axis 1 (N) is 3, but x has 2 images.']],
  [
    { y: [2, 6, 3, 400], dy: [2, 6, 3, 400] },
    [/axis 4 \(W\) is 400, but no stride and padding gives 400 columns from 7/, /^dy/],
  ],
  [{ dx: [2, 4, 7, 6] }, ['dx is [2, 4, 7, 6], but x is [2, 4, 6, 7].']],
  [{ dw: [6, 2, 9] }, ['dw is [6, 2, 9], but w is [6, 2, 3, 3].']],
  [{ db: [5] }, ['db is [5], but b is [6].']],
  [{ b: [7] }, ['b is [7], but w has 6 filters.']],
])('%j does not fit: the axis is named', (changes, texts) => {
  const solution = firstOf(contentsOf({ ...LAYER, ...changes }));
  expect(misfitTexts(solution)).toEqual(
    texts.map((text) => (text instanceof RegExp ? expect.stringMatching(text) : text)),
  );
  // What fits is still found.
  expect(solution.desc).toMatchObject({ n: 2, h: 6, w: 7, c: 4, k: 6, kh: 3, kw: 3, groups: 2 });
});

test('weights that no axis order fits to x are named', () => {
  const solution = firstOf(contentsOf({ x: [1, 7, 6, 5], w: [4, 3, 3, 3] }));
  expect(misfitTexts(solution)).toEqual([
    'w is [4, 3, 3, 3] and x is [1, 7, 6, 5]: in no axis order do the channels of w divide those of x.',
  ]);
});

test('arguments that contradict the sizes are corrected', () => {
  const given = { stride: [1, 1], padding: { top: 0, bottom: 0, left: 0, right: 0 } } as const;
  const solution = firstOf(contentsOf(LAYER, given));
  expect(misfitTexts(solution)).toEqual([
    'With stride 1 and no padding, y would be [2, 6, 4, 5]; [2, 6, 3, 4] needs stride 2 and padding 1.',
  ]);
  expect(solution.desc).toMatchObject({ stride_h: 2, stride_w: 2 });
  // Those that fit leave fewer solutions.
  const fitting = solutionsOf(contentsOf(LAYER, { padding: { top: 0, bottom: 1, left: 1, right: 1 } }), {}, page);
  expect(fitting.map(({ desc }) => desc.padding)).toEqual(
    fitting.map(() => ({ top: 0, bottom: 1, left: 1, right: 1 })),
  );
});

test('an output alone has to fit the convolution of the page', () => {
  const before = { ...page, h: 7, w: 7, kh: 3, kw: 3 };
  const fitting = firstOf(contentsOf({ dy: [1, 5, 5, 1] }), before);
  expect([misfitTexts(fitting), fitting.desc]).toEqual([[], before]);
  const other = firstOf(contentsOf({ dy: [1, 4, 4, 1] }), before);
  expect(misfitTexts(other)).toEqual([
    'With stride 1 and no padding, dy would be [1, 5, 5, 1]; [1, 4, 4, 1] needs stride 2 and padding 1.',
  ]);
});

test('the geometry of the page is offered if it fits, however unusual', () => {
  const padding = { top: 0, bottom: 2, left: 3, right: 0 };
  const before = { ...page, stride_h: 2, stride_w: 2, padding_mode: 'explicit_sides', padding } as const;
  const found = solutionsOf(contentsOf(LAYER), {}, before);
  expect(found.map(({ desc }) => desc.padding)).toContainEqual(padding);
  expect(solutionsOf(contentsOf(LAYER), {}, page).map(({ desc }) => desc.padding)).not.toContainEqual(padding);
});
