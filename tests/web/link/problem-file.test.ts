import * as fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { compress } from '../../../web/src/link/compress';
import type { LinkContent } from '../../../web/src/link/field';
import { parseLink } from '../../../web/src/link/parse-link';
import { isProblemFile, readProblemFile, writeProblemFile } from '../../../web/src/link/problem-file';
import { readLink } from '../../../web/src/link/read-link';
import { writeLink } from '../../../web/src/link/write-link';
import { loadSamples } from '../../../web/src/sources/tensor-sources';
import { THOROUGH } from '../../thorough';
import { convolutionOf, layerOf, partsOf } from '../support/problems';
import { bits } from './bits';

// The file for problems that do not fit into a link.

beforeAll(loadSamples);

/**
 * 256 x 256 of x and 254 x 254 of dy: arbitrary bits with NaN and zeros of both signs, and an image that was not
 * edited.
 */
function large(source: 'generated' | 'file'): LinkContent {
  const { problem, look } = parseLink(
    'h=256&kh=3&x=random:3&weights=filter:blur&mode=dx&cell=y.77&locked=stride&hidden=dw',
  );
  let state = 9;
  const noise = (count: number) =>
    new Float32Array(
      Uint32Array.from({ length: count }, () => {
        state = (Math.imul(1664525, state) + 1013904223) >>> 0;
        return state;
      }).buffer,
    );
  const x =
    source === 'file'
      ? { ...problem.x, data: noise(256 * 256), source: { kind: 'file', name: 'my cat.png' } as const, edited: false }
      : { ...problem.x, data: noise(256 * 256), edited: true };
  return {
    problem: {
      ...problem,
      x,
      loss: { kind: 'given', dy: { kind: 'values', shape: [1, 254, 254, 1], data: noise(254 * 254) } },
    },
    look,
  };
}

async function opened(file: Blob) {
  expect(await isProblemFile(file)).toBe(true);
  const read = await readProblemFile(file);
  if (typeof read === 'string') throw new Error(read);
  return readLink(read.link, false, read.knownInputs);
}

describe('a problem file', () => {
  test.each(['generated', 'file'] as const)('restores the problem to the last bit: %s', async (source) => {
    const state = large(source);
    const { problem, look, complaints, missing } = await opened(await writeProblemFile(state));
    expect([complaints, missing]).toEqual([[], []]);
    for (const name of ['x', 'w', 'loss'] as const) {
      const [now, then] = [partsOf(problem)[name], partsOf(state.problem)[name]].map((input) =>
        Object.entries('dy' in input ? input.dy : input).sort(),
      );
      // Not toEqual, which would print 65,536 values.
      expect(bits(now) === bits(then), name).toBe(true);
    }
    expect(look).toEqual(state.look);
  });

  test('restores a network with weights of a layer that do not fit into a link', async () => {
    const link =
      'h=40&kh=1&layer.2=average_pool;kernel:2;padding:1,0,0,0;count_include_pad:false&layer.3=conv;kh:20;k:9';
    const { problem, look } = await readLink(link);
    const last = convolutionOf(problem, 2);
    const data = last.w.data.map((_, i) => Math.fround(Math.sin(i)));
    const layers = problem.layers.with(2, { ...last, w: { ...last.w, data, edited: true } });
    const state = { look, problem: { ...problem, layers } };
    expect(writeLink(state).omitted).toEqual(['w3']);
    const restored = await opened(await writeProblemFile(state));
    expect([restored.complaints, restored.missing]).toEqual([[], []]);
    expect(restored.problem).toEqual(state.problem);
  });

  test('of a small problem contains only its link', async () => {
    const state = parseLink('h=5&kh=3&x=ramp');
    const file = await writeProblemFile(state);
    expect(await file.text()).toMatch(/^\{"conv2d":"v=2&h=5[^"]*","numbers":\{\}\}$/);
    expect((await opened(file)).problem).toEqual(state.problem);
  });

  test('is recognized', async () => {
    for (const text of ['', '{"conv2d":3}', '{"x_shape":[1,1,1,1]}', '[1,2]']) {
      expect(await isProblemFile(new Blob([text]))).toBe(false);
    }
  });

  test.each([
    ['{"conv2d":"h=5"', 'damaged or incomplete'],
    ['{"conv2d":"h=5&kh=3&x=ones~omitted","numbers":{"x":{"count":25,"values":"f32z.!"}}}', 'values of x are damaged'],
    [
      '{"conv2d":"h=5&kh=3&x=ones~omitted","numbers":{"x":{"count":1e9,"values":"f32z.AA"}}}',
      'values of x are damaged',
    ],
    [
      '{"conv2d":"h=5&kh=3&weights=ones~omitted","numbers":{"w":{"count":-1,"values":"i8."}}}',
      'values of w are damaged',
    ],
    [
      '{"conv2d":"h=5&kh=3&dy=values~omitted","numbers":{"dy":{"count":"9","values":"i8."}}}',
      'values of dy are damaged',
    ],
    ['{"conv2d":"h=5&kh=3&x=ones~omitted","numbers":{"x":null}}', 'values of x are damaged'],
  ])('that is damaged says so: %s', async (text, sentence) => {
    expect(await readProblemFile(new Blob([text]))).toContain(sentence);
  });

  test('is read only where its link leaves values out, and with the count of its sizes', async () => {
    const values = await compress(new Float32Array(25), Number.POSITIVE_INFINITY);
    let inflations = 0;
    vi.stubGlobal(
      'DecompressionStream',
      class extends DecompressionStream {
        constructor(format: CompressionFormat) {
          super(format);
          inflations += 1;
        }
      },
    );
    const read = async (link: string, count: number) => {
      inflations = 0;
      const names = ['x', 'w', 'b', 'dy', ...Array.from({ length: 10 }, (_, i) => [`w${i}`, `b${i}`]).flat()];
      const numbers = Object.fromEntries(names.map((name) => [name, { count, edited: true, values }]));
      const found = await readProblemFile(new Blob([JSON.stringify({ conv2d: link, numbers })]));
      return typeof found === 'string' ? found : [Object.keys(found.knownInputs), inflations];
    };
    expect(await read('h=5&kh=3', 25)).toEqual([[], 0]);
    expect(await read('h=5&kh=3&x=ones~omitted', 25)).toEqual([['x'], 1]);
    expect(await read('h=5&kh=1&x=ones~omitted&dy=values~omitted', 25)).toEqual([['x', 'dy'], 2]);
    expect(await read('h=5&kh=3&x=ones~omitted', 2 ** 24)).toEqual([[], 0]);
    expect(await read('h=5&kh=3&groups=7', 25)).toEqual([[], 0]);
    // A network; its second layer has 25 weights.
    expect(await read('h=9&layers=2&layer.1=conv;kh:1&layer.2=conv;kh:5;weights:ones~omitted', 25)).toEqual([
      ['w2'],
      1,
    ]);
    // Without `layers`, the second one is at the top.
    expect(await read('h=9&kh=5&weights=ones~omitted&layer.1=conv;kh:1', 25)).toEqual([['w', 'w2'], 2]);
    expect(await read('h=9&kh=1&layer.2=conv;kh:5;weights:ones~omitted', 25)).toEqual([['w2'], 1]);
    vi.unstubAllGlobals();
  });

  test('of a problem that needs a confirmation has a limit for all values together', async () => {
    const half = await compress(new Float32Array(2 ** 23), Number.POSITIVE_INFINITY);
    const numbers = Object.fromEntries(['x', 'w', 'b'].map((name) => [name, { count: 2 ** 23, values: half }]));
    const link = 'h=3000&w=3000&kh=1&x=ones~omitted';
    const found = await readProblemFile(new Blob([JSON.stringify({ conv2d: link, numbers })]));
    expect(typeof found === 'string' || Object.keys(found.knownInputs)).toEqual(['x', 'w']);
  });

  test('of many damaged ones, none throws, hangs, or opens unchecked values', async () => {
    const good = await (await writeProblemFile(large('file'))).text();
    const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const counts = { refused: 0, opened: 0 };
    await fc.assert(
      fc.asyncProperty(share, share, fc.string({ unit: 'binary', maxLength: 6 }), async (a, b, piece) => {
        // Half of the mutations are outside of numbers.
        const at = Math.floor(a * (b < 0.5 ? 600 : good.length));
        const text = good.slice(0, at) + piece + good.slice(at + Math.floor(b * 9));
        const read = await readProblemFile(new Blob([text]));
        const result = typeof read === 'string' ? null : await readLink(read.link, false, read.knownInputs);
        counts[result ? 'opened' : 'refused'] += 1;
        if (!result) return;
        const { problem, fault, complaints } = result;
        if (fault === 'refused') expect(complaints.length).toBeGreaterThan(0);
        expect(problem.x.data).toHaveLength(
          layerOf(problem).desc.n * layerOf(problem).desc.h * layerOf(problem).desc.w * layerOf(problem).desc.c,
        );
      }),
      { numRuns: THOROUGH ? 500 : 100, seed: 3 },
    );
    console.info(JSON.stringify(counts));
    expect(Math.min(counts.refused, counts.opened)).toBeGreaterThan(5);
  }, 120_000);
});
