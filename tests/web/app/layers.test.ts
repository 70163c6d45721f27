import { describe, expect, test } from 'vitest';
import type { FileContents, FileTensor } from '../../../web/src/formats/format';
import { openFile } from '../../../web/src/formats/formats';
import { openable, valuesOf } from '../../../web/src/formats/judged-layer';
import { resolvePadding } from '../../../web/src/protocol/shapes';
import type { FileVerdict, LayerVerdict } from '../../../web/src/protocol/verdict';
import { openingProblem } from '../../../web/src/state/problem';
import { judge } from '../../../web/src/worker/judge';
import { bytesOfMade, textOfMade } from '../formats/read';
import { sourceOf } from '../formats/source';
import { layerOf } from '../support/problems';

/** Layers as training programs save them: made by PyTorch, with the geometry of each (formats/made/layers). */

interface Layer {
  /** Axis orders of x, w and y. */
  readonly orders: readonly [x: string, w: string, y: string];
  readonly n: number;
  readonly h: number;
  readonly w: number;
  readonly c: number;
  readonly k: number;
  readonly kh: number;
  readonly kw: number;
  readonly groups: number;
  readonly stride: readonly number[];
  readonly dilation: readonly number[];
  /** top, bottom, left, right */
  readonly padding: readonly number[];
}

const layers = JSON.parse(textOfMade('layers/layers.json')) as Record<string, Layer & { readonly unique: boolean }>;
const { desc: page } = layerOf(openingProblem());

interface Opened {
  readonly contents: FileContents;
  readonly read: ReadonlyMap<number, FileTensor>;
}

async function openLayer(file: string): Promise<Opened> {
  const contents = await openFile(sourceOf(file, bytesOfMade(`layers/${file}`)));
  if ('refusal' in contents) throw new Error(contents.refusal.reason);
  const read = new Map<number, FileTensor>();
  for (const [index, header] of contents.tensors.entries()) {
    const tensor = await header.read();
    if ('refusal' in tensor) throw new Error(tensor.refusal.reason);
    read.set(index, tensor);
  }
  return { contents, read };
}

function judged(
  { contents, read }: Opened,
  change = (tensor: FileTensor): Float32Array => tensor.values,
): Promise<FileVerdict> {
  const arrays = contents.tensors.map(({ name, shape }, index) => {
    const tensor = read.get(index) as FileTensor;
    return { name: name || `array ${index + 1}`, shape, values: change(tensor), is_text: false };
  });
  return judge({ arrays, given: contents.given, options: {} });
}

const onlyLayer = ({ layers: [layer, ...others] }: FileVerdict): LayerVerdict => {
  if (!layer || others.length > 0) throw new Error('one layer was expected');
  return layer;
};

/** x is NCHW and y is NHWC, which the check does not try. */
const MIXED = 'mixed.npz';

describe.each(Object.entries(layers).filter(([file]) => file !== MIXED))(
  '%s',
  (file, { unique: _, orders, ...layer }) => {
    test('is right, with its geometry and every array', async () => {
      const opened = await openLayer(file);
      const verdict = await judged(opened);
      expect(verdict).toMatchObject({ verdict: 'right', unused: [] });
      const found = onlyLayer(verdict);
      expect(Object.values(found.tensors).map(({ verdict: word }) => word)).not.toContain('cannot_tell');
      const onPage = openable(found, opened.contents, page);
      if ('why' in onPage) throw new Error(JSON.stringify(onPage.why));
      const { n, h, w, c, k, kh, kw, groups, stride_h, stride_w, dilation_h, dilation_w } = onPage.desc;
      const { top, bottom, left, right } = resolvePadding(onPage.desc);
      expect({
        ...{ n, h, w, c, k, kh, kw, groups },
        ...{ stride: [stride_h, stride_w], dilation: [dilation_h, dilation_w], padding: [top, bottom, left, right] },
      }).toEqual(layer);
      expect([found.geometry?.order.x, found.geometry?.order.w]).toEqual(orders.slice(0, 2));
      // Every array has as many cells as the tensor of the page.
      const values = valuesOf(found, onPage, opened.read);
      expect(Object.keys(values).sort()).toEqual(Object.keys(found.arrays).sort());
    });

    test('is wrong with one wrong value', async () => {
      const opened = await openLayer(file);
      const index = onlyLayer(await judged(opened)).arrays.y;
      const y = opened.read.get(index ?? -1);
      const verdict = await judged(opened, (tensor) => {
        if (tensor !== y) return tensor.values;
        const values = tensor.values.slice();
        values[values.length - 1] = (values.at(-1) ?? 0) + 1;
        return values;
      });
      expect(verdict.verdict).toBe('wrong');
      expect(onlyLayer(verdict).tensors.y?.verdict).not.toBe('matches');
    });
  },
);

test('y in another axis order than x is read in its own', async () => {
  const { tensors, evidence } = onlyLayer(await judged(await openLayer(MIXED)));
  expect(tensors.y).toMatchObject({ verdict: 'matches' });
  expect(evidence).toContain('y is NHWC, x is NCHW');
});

test('there are layers for each usual geometry', () => {
  expect(Object.keys(layers).length).toBe(23);
});

test('a file with the arguments of the layer says whether they agree', async () => {
  for (const file of ['arguments.npz', 'metadata.safetensors']) {
    const { evidence } = onlyLayer(await judged(await openLayer(file)));
    expect(evidence, file).toMatch(/The file says .*stride.*, and the values agree/);
  }
});
