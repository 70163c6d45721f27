import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { layerTitle } from '../../../web/src/layers/list';
import { convolutionOf } from '../support/problems';
import '../../../web/src/link/network-fields';
import { parseLink } from '../../../web/src/link/parse-link';
import { inputValuesOf, writeLink } from '../../../web/src/link/write-link';
import { DEFAULT_LOOK } from '../../../web/src/look/look';
import { endOf, type Problem, shownIndex } from '../../../web/src/state/problem';

const LAYERS =
  'layer.2=relu&layer.3=max_pool;kernel:2;stride:2&layer.4=conv;kh:3;kw:3;stride:1;padding:0;weights:random:3;bias:ones';
const FOUR = `h=12&w=12&kh=3&kw=3&stride=1&padding=0&${LAYERS}&x=random:1&weights=random:2&dy=mse:0`;

/** Links of version 1 with several layers, with the shown layer, counted from 0, and rows, columns and channels of y. */
const STORED = JSON.parse(readFileSync(new URL('./networks-v1.json', import.meta.url), 'utf8')) as readonly {
  readonly hash: string;
  readonly layers: readonly string[];
  readonly shown: number;
  readonly y: readonly [number, number, number];
}[];

const hashOf = (problem: Problem, layer: number | null = null): string =>
  writeLink({ problem, look: { ...DEFAULT_LOOK, layer } }).hash;

const opened = (link: string): Problem => {
  const { problem, fault, complaints } = parseLink(link);
  expect({ fault, complaints }).toEqual({ fault: null, complaints: [] });
  return problem;
};

test.each(STORED)('opens as before: $hash', ({ hash, layers, shown, y: [h, w, c] }) => {
  const { problem, look, fault, complaints, missing } = parseLink(hash);
  expect({ fault, complaints, missing }).toEqual({ fault: null, complaints: [], missing: [] });
  expect(problem.layers.map(layerTitle)).toEqual(layers);
  expect(shownIndex(problem, look.layer)).toBe(shown);
  expect(endOf(problem)).toEqual(problem.input.layout === 'nhwc' ? [1, h, w, c] : [1, c, h, w]);
  // As it is written now.
  const again = parseLink(writeLink({ problem, look }).hash);
  expect([again.problem, shownIndex(again.problem, again.look.layer)]).toEqual([problem, shown]);
});

test('several layers are a list; the first one with weights is shown', () => {
  const problem = opened(FOUR);
  expect(problem).toMatchObject({
    layers: [
      { kind: 'conv', fields: { kh: 3 } },
      { kind: 'relu', fields: {} },
      { kind: 'max_pool', fields: { kh: 2, kw: 2, stride_h: 2, stride_w: 2, padding: { top: 0 } } },
      { kind: 'conv', fields: { k: 1, kh: 3 }, w: { source: { kind: 'random', seed: 3 } } },
    ],
  });
  expect(endOf(problem)).toEqual([1, 3, 3, 1]);
  const first = 'kh:3;kw:3;stride:1;padding:0;weights:random:2';
  expect(hashOf(problem)).toBe(`v=2&h=12&w=12&layers=4&layer.1=conv;${first}&${LAYERS}&x=random:1&dy=mse:0`);
  expect(opened(hashOf(problem))).toEqual(problem);
});

test('another layer that is shown has its number in `layer`', () => {
  const hash = hashOf(opened(FOUR), 3);
  expect(hash.split('&')).toContain('layer=4');
  expect(parseLink(hash)).toMatchObject({ complaints: [], problem: opened(FOUR), look: { layer: 3 } });
  // A layer without weights is not shown.
  expect(hashOf(opened(FOUR), 1)).not.toContain('layer=');
  expect(parseLink(`${FOUR}&layer=none`).complaints).toEqual([
    expect.stringContaining('must be the number of a layer'),
  ]);
});

test('without `layers`, the number that is missing is that of the convolution at the top, which is shown', () => {
  const { problem, look } = parseLink('h=12&kh=3&weights=random:2&k=2&layer.1=conv;kh:2&layer.2=relu&dy=ones');
  expect(problem.layers).toMatchObject([{ fields: { kh: 2 } }, { kind: 'relu' }, { fields: { kh: 3, k: 2 } }]);
  expect(look.layer).toBe(2);
  // Another layer can be shown.
  const { look: other } = parseLink('h=12&kh=3&layer.1=conv;kh:2&layer.2=relu&layer=1');
  expect(other.layer).toBe(0);
});

test('a list needs no convolution at the top, and says which layer is missing', () => {
  const { problem, look, complaints } = parseLink('h=6&layers=3&layer.1=relu&layer.3=conv;kh:2');
  expect(problem.layers.map(({ kind }) => kind)).toEqual(['relu', 'conv']);
  expect(look.layer).toBeNull();
  expect(complaints).toEqual(['layer.2 is missing in the link.']);
  const { complaints: stray } = parseLink('h=6&kh=2&layers=1&layer.1=conv');
  expect(stray).toEqual([expect.stringContaining('kh in the link is that of a layer')]);
  expect(opened('h=6&layers=1&layer.1=conv;kh:2;weights:ones')).toMatchObject({ layers: [{ fields: { kh: 2 } }] });
  expect(parseLink('h=6&layers=2&layer.1=relu&layer.2=relu')).toMatchObject({
    fault: 'refused',
    complaints: [expect.stringContaining('a network needs a convolution')],
  });
  expect(parseLink('h=6&layers=no&layer.1=conv').complaints).toEqual([expect.stringContaining('the number of layers')]);
});

test('values of a convolution at the top are found under its name without a number', () => {
  const w = { data: Float32Array.of(7), edited: true };
  const hash = 'h=6&kh=1&weights=ones~omitted&layer.1=relu';
  expect(parseLink(hash).missing).toEqual([{ input: 'w2', image: null }]);
  expect(parseLink(hash, false, { w })).toMatchObject({ missing: [], problem: { layers: [{}, { w }] } });
});

test('values of every layer survive, names with separators too', () => {
  const problem = opened(FOUR);
  const last = convolutionOf(problem, 3);
  const data = Float32Array.from({ length: 9 }, (_, i) => i / 8);
  const w = { ...last.w, data, edited: false, source: { kind: 'brought', name: 'a;b:c,d~e%f&g' } as const };
  const edited = { ...problem, layers: problem.layers.with(3, { ...last, w, algorithms: { forward: 'direct' } }) };
  expect(opened(hashOf(edited))).toEqual(edited);
});

test('too many edited weights of a layer are left out under its name, and filled in again', () => {
  const problem = opened('h=40&kh=1&layer.2=relu&layer.3=conv;kh:31;kw:31;k:3');
  const values = Float32Array.from({ length: 31 * 31 * 3 }, (_, i) => i / 8);
  const last = convolutionOf(problem, 2);
  const w = { ...last.w, data: values, edited: true };
  const edited = { ...problem, layers: problem.layers.with(2, { ...last, w }) };
  const { hash, omitted } = writeLink({ problem: edited, look: DEFAULT_LOOK });
  expect(omitted).toEqual(['w3']);
  expect(inputValuesOf(edited, 'w3')).toBe(w);
  expect(parseLink(hash).missing).toEqual([{ input: 'w3', image: null }]);
  const filled = parseLink(hash, false, { w3: { data: values, edited: true } });
  expect(filled.missing).toEqual([]);
  expect(filled.problem).toEqual(edited);
});

test('an average without the padding', () => {
  const problem = opened('h=6&kh=3&layer.2=average_pool;kernel:2;stride:1;padding:1,0,1,0;count_include_pad:false');
  const pool = { kh: 2, kw: 2, stride_h: 1, stride_w: 1, padding: { top: 1, bottom: 0, left: 1, right: 0 } };
  expect(problem.layers.slice(1)).toEqual([{ kind: 'average_pool', fields: { ...pool, count_include_pad: false } }]);
  expect(opened(hashOf(problem))).toEqual(problem);
  const counted = opened('h=6&kh=3&layer.2=average_pool;kernel:2;stride:1;padding:1,0,1,0;count_include_pad:true');
  expect(counted.layers.slice(1)).toEqual([{ kind: 'average_pool', fields: pool }]);
  expect(hashOf(counted)).not.toContain('count_include_pad');
});

test('a leaky ReLU with its slope', () => {
  const problem = opened('h=6&kh=3&layer.2=leaky_relu;alpha:0.1');
  expect(problem.layers.slice(1)).toEqual([{ kind: 'leaky_relu', fields: { alpha: 0.1 } }]);
  expect(hashOf(problem)).toContain('layer.2=leaky_relu;alpha:0.1');
  expect(opened(hashOf(problem))).toEqual(problem);
  const text =
    'layer.2=conv_transpose;k:2;kernel:3x2;stride:2;padding:1,0,0,1;output_padding:1x0;weights:random:3;bias:constant:4';
  const transposed = opened(`h=6&kh=3&${text}`);
  expect(hashOf(transposed)).toContain(text);
  expect(transposed.layers[1]).toMatchObject({
    kind: 'conv_transpose',
    fields: {
      k: 2,
      kh: 3,
      kw: 2,
      stride_h: 2,
      stride_w: 2,
      dilation_h: 1,
      groups: 1,
      output_padding_h: 1,
      output_padding_w: 0,
    },
    w: { shape: [3, 2, 2, 1], source: { kind: 'random', seed: 3 } },
    b: { shape: [1, 1, 1, 2] },
  });
  expect(opened('h=6&kh=3&layer.2=leaky_relu').layers[1]).toEqual({ kind: 'leaky_relu', fields: { alpha: 0.01 } });
});

test.each([
  ['layer.2=leaky_relu;alpha:2', 'layer.2 is "leaky_relu;alpha:2" in the link, but must be a layer such as conv;'],
  ['layer.2=leaky_relu;alpha:no', 'layer.2 is "leaky_relu;alpha:no" in the link, but must be a layer such as conv;'],
  ['layer.2=max_pool;kernel:2;count_include_pad:false', 'layer.2 is "max_pool;kernel:2;count_include_pad:fal…" in'],
  ['layer.2=average_pool;kernel:2;count_include_pad:no', 'layer.2 is "average_pool;kernel:2;count_include_pad…" in'],
  ['layer.2=tanh', 'layer.2 is "tanh" in the link, but must be a layer such as conv;'],
  ['layer.2=conv;kh:x', 'layer.2 is "conv;kh:x" in the link, but must be a layer such as conv;'],
  ['layer.2=conv;h:3', 'layer.2 is "conv;h:3" in the link, but must be a layer such as conv;'],
  ['layer.2=max_pool;kernel:0', 'layer.2 is "max_pool;kernel:0" in the link, but must be a layer such as conv;'],
  ['layer.2=relu;kh:3', 'layer.2 is "relu;kh:3" in the link, but must be a layer such as conv;'],
  ['layer.9=relu', 'layer.9 is "relu" in the link, but must be one of at most 6 layers'],
  ['layer.x=relu', 'layer.x is "relu" in the link, but must be one of at most 6 layers'],
  ['layer.2=conv;weights:nonsense', 'weights of layer.2 is "nonsense" in the link, but must be a source such as'],
])('tells what is wrong with %s', (layer, sentence) => {
  const { fault, complaints } = parseLink(`h=6&kh=3&${layer}`);
  expect(fault).toBeNull();
  expect(complaints).toEqual([expect.stringContaining(sentence)]);
});

test('the number of a layer that cannot be read stays its own', () => {
  const { problem } = parseLink('h=6&kh=3&layer.1=nonsense&layer.3=relu');
  expect(problem.layers.map(({ kind }) => kind)).toEqual(['conv', 'relu']);
});

test('refuses layers that do not fit, and names the layer', () => {
  const { fault, complaints } = parseLink('h=6&kh=3&layer.2=max_pool;kernel:2&layer.3=max_pool;kernel:3');
  expect(fault).toBe('refused');
  expect(complaints[0]).toContain('layer 3 (max pooling 3 × 3): the window has 3 rows, but its input has 2');
});

test('a link of one layer is read as before', () => {
  const { complaints } = parseLink('h=3&kh=9');
  expect(complaints[0]).toContain('do not fit together (kh is 9');
});

test('hides values by their names in the network', () => {
  const { look, complaints } = parseLink(`${FOUR}&hidden=dy1.3,y4,dx.0,stride`);
  expect(complaints).toEqual([]);
  expect(look.hiddenCells).toEqual([
    { tensor: 'dy1', index: 3 },
    { tensor: 'y4', index: null },
    { tensor: 'dx', index: 0 },
  ]);
  const { problem } = parseLink(FOUR);
  expect(writeLink({ problem, look }).hash).toContain('hidden=dy1.3,y4,dx.0,stride');
});

test.each(['y.3', 'x.0', 'y5.0', 'dy0.1', 'y1.', 'y1.2.3', 'y1.a'])('does not hide %s in a network', (name) => {
  const { look, complaints } = parseLink(`${FOUR}&hidden=${name}`);
  expect(look.hiddenCells).toEqual([]);
  expect(complaints[0]).toContain(`hidden is "${name}"`);
});

test('without a network its names are unknown', () => {
  expect(parseLink('h=6&kh=3&hidden=y1.3').complaints[0]).toContain('hidden is "y1.3"');
});

test('counts the cost of all layers', () => {
  const wide = 'conv;kh:31;kw:31;k:16;padding:same';
  expect(parseLink(`h=512&kh=3&k=16&padding=same&layer.2=${wide}`)).toMatchObject({ fault: 'costly' });
});
