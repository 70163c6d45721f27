import * as fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { compress, packLink } from '../../../web/src/link/compress';
import { readLink } from '../../../web/src/link/read-link';
import { writeLink } from '../../../web/src/link/write-link';
import { DEFAULT_LOOK } from '../../../web/src/look/look';
import { loadSamples } from '../../../web/src/sources/tensor-sources';
import { openingProblem, type Problem, problemOfLayer } from '../../../web/src/state/problem';
import { THOROUGH } from '../../thorough';
import { descOf } from '../geometry/arbitrary-geometry';
import { layerOf, partsOf } from '../support/problems';
import { arbitraryLinked } from './arbitrary-link';
import { bits } from './bits';

beforeAll(loadSamples);
afterEach(() => vi.unstubAllGlobals());

/** 60 x 80 cells with the values of `at`, and one weight. */
function wide(at: (i: number) => number, rows = 60, cols = 80): Problem {
  const desc = descOf({ h: rows, w: cols, kh: 1, kw: 1 });
  const data = Float32Array.from({ length: rows * cols }, (_, i) => at(i));
  const opening = openingProblem();
  return problemOfLayer(desc, {
    x: { shape: [1, rows, cols, 1], data, source: { kind: 'constant', value: 1 }, edited: true },
    w: { ...layerOf(opening).w, shape: [1, 1, 1, 1], data: Float32Array.of(3), edited: true },
    b: null,
    loss: { kind: 'given', dy: { kind: 'ones' } },
  });
}

/** Values without a pattern: a 32-bit linear congruential generator. */
function noise(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return Math.fround(state / 2 ** 32 - 0.5);
  };
}

/** With the sizes in a fixed order. */
const plain = (problem: Problem) => {
  const { desc, algorithms, x, w, b, loss } = partsOf(problem);
  return [byName(desc), byName(algorithms), { x, w, b, loss }];
};
const byName = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

const linkOf = (problem: Problem) => packLink({ problem, look: DEFAULT_LOOK });

test('many states come back from copied links', async () => {
  let packed = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryLinked, async ({ problem, look }) => {
      const { hash, omitted } = await packLink({ problem, look });
      const opened = await readLink(`#${hash}`);
      expect(opened.complaints).toEqual([]);
      expect([omitted, opened.missing]).toEqual([[], []]);
      expect(bits(plain(opened.problem))).toBe(bits(plain(problem)));
      expect(opened.look).toEqual(look);
      expect(opened.packed).toBe(/~(edited\.)?(i8|i16|f32)z\./.test(hash));
      packed += Number(hash !== writeLink({ problem, look }).hash);
    }),
    { numRuns: THOROUGH ? 1000 : 300, seed: 15 },
  );
  expect(packed).toBeGreaterThan(5);
}, 120_000);

describe('values that a link left out before compression', () => {
  test.each([
    ['whole numbers with a pattern', (i: number) => (i % 80) - 40, 500],
    ['a gradient', (i: number) => Math.fround(i / 7), 12_000],
    ['0 and 1', (i: number) => Number(i % 3 === 0), 400],
  ])('%s: 4,800 of them', async (_name, at, most) => {
    const problem = wide(at);
    const { hash, omitted, inputLengths: weights } = await linkOf(problem);
    expect(omitted).toEqual([]);
    expect(hash.length).toBeLessThan(most);
    expect(weights[0]).toMatchObject({ input: 'x', numbers: 4800 });
    const opened = await readLink(hash);
    expect(opened.complaints).toEqual([]);
    expect(bits(plain(opened.problem))).toBe(bits(plain(problem)));
  });

  test('without a pattern are written up to the limit; beyond it they are left out', async () => {
    const small = await linkOf(wide(noise()));
    expect(small.omitted).toEqual([]);
    expect(small.hash.length).toBeGreaterThan(15_000);
    const large = await linkOf(wide(noise(), 256, 256));
    expect(large.omitted).toEqual(['x']);
    expect(large.inputLengths[0]).toEqual({ input: 'x', numbers: 65_536, characters: null });
    expect(large.hash).toContain('x=ones~omitted');
    expect(large.hash.length).toBeLessThan(300);
  });

  test('of the longest input are left out if several are too long', async () => {
    const next = noise();
    const problem = wide(next, 120, 160);
    const dy = Float32Array.from({ length: 120 * 160 }, () => Math.round(next() * 100));
    const both = await linkOf({
      ...problem,
      loss: { kind: 'given', dy: { kind: 'values', shape: [1, 120, 160, 1], data: dy } },
    });
    expect(both.omitted).toEqual([]);
    const more = wide(next, 150, 170);
    const values = Float32Array.from({ length: 150 * 170 }, next);
    const one = await linkOf({
      ...more,
      loss: { kind: 'given', dy: { kind: 'values', shape: [1, 150, 170, 1], data: values } },
    });
    expect(one.omitted).toHaveLength(1);
    expect(one.hash.length).toBeLessThan(2 ** 17);
  });
});

describe('compressed values of a link', () => {
  const DAMAGED = [
    ['that are truncated', 'f32z.AQ'],
    ['that are not deflated', 'f32z.____________'],
    ['without a valid type', 'f99z.AQ'],
    ['with invalid characters', 'i8z.A!B'],
    ['that are empty', 'i8z.'],
  ] as const;

  test.each(DAMAGED)('%s are ignored with a sentence', async (_name, text) => {
    const { problem, complaints, fault } = await readLink(`h=5&kh=3&x=ones~${text}`);
    expect(fault).toBeNull();
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain('with one value for each cell of x');
    expect(layerOf(problem).desc.h).toBe(5);
  });

  test.each([8, 10, 25, 1000])('of %i cells are ignored with a sentence if w has 9 cells', async (count) => {
    for (const first of [0, 0.5]) {
      const values = Float32Array.from({ length: count }, (_, i) => (i % 100) + first);
      const hash = `lesson=one-window.3&weights=brought:q~edited.${await compress(values, 1e6)}`;
      const { complaints, problem } = await readLink(hash);
      expect(complaints).toEqual([expect.stringContaining('with one value for each cell of w')]);
      expect(layerOf(problem).w.source.kind).not.toBe('brought');
    }
  });

  test('are decompressed only up to the known size', async () => {
    // 64 MB of zeros in 85 kB of text.
    const zeros = new Blob([new Uint8Array(2 ** 26)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const bomb = Buffer.from(await new Response(zeros).arrayBuffer()).toString('base64url');
    expect(bomb.length).toBeGreaterThan(60_000);
    let largest = 0;
    const grown: { read: number } = { read: 0 };
    const Real = DecompressionStream;
    vi.stubGlobal(
      'DecompressionStream',
      class {
        readonly readable: ReadableStream<Uint8Array>;
        readonly writable: WritableStream<BufferSource>;
        constructor(format: CompressionFormat) {
          const inner = new Real(format);
          this.writable = inner.writable;
          this.readable = inner.readable.pipeThrough(
            new TransformStream({
              transform(piece: Uint8Array, controller) {
                largest = Math.max(largest, piece.length);
                grown.read += piece.length;
                controller.enqueue(piece);
              },
            }),
          );
        }
      },
    );
    const start = process.cpuUsage();
    const { problem, complaints } = await readLink(`h=50&kh=1&x=ones~f32z.${bomb}&weights=ones`);
    const { user } = process.cpuUsage(start);
    expect(complaints).toEqual([expect.stringContaining('with one value for each cell of x')]);
    expect(problem.x).toMatchObject({ source: { kind: 'ramp' }, edited: false });
    console.info(`of ${2 ** 26} bytes ${grown.read} were made, at most ${largest} at a time, in ${user / 1000} ms`);
    expect(grown.read).toBeLessThan(2 ** 21);
  });

  test('of a problem that is refused or needs a confirmation are not read', async () => {
    vi.stubGlobal('DecompressionStream', undefined);
    expect((await readLink('h=5&k=9999&x=ones~f32z.AAAA')).fault).toBe('refused');
    expect((await readLink('h=3000&w=3000&kh=1&x=ones~f32z.AAAA')).fault).toBe('costly');
  });

  test('are refused with a sentence in a browser that cannot decompress', async () => {
    vi.stubGlobal('DecompressionStream', undefined);
    const { fault, complaints } = await readLink('h=5&kh=3&x=ones~i8z.AAAA');
    expect(fault).toBe('refused');
    expect(complaints).toEqual([expect.stringContaining('this browser cannot decompress them')]);
    expect((await readLink('h=5&kh=3&x=ramp')).fault).toBeNull();
  });

  test('are not written by a browser that cannot compress, which reports it', async () => {
    vi.stubGlobal('CompressionStream', undefined);
    const { hash, omitted, canCompress } = await linkOf(wide(() => 0.1, 256, 256));
    expect([omitted, canCompress]).toEqual([['x'], false]);
    expect(hash).toContain('x=ones~omitted');
  });
});
