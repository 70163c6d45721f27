import type { Layout, Shape } from '../protocol/problem';
import { kernelValue } from './filters';
import { fill, type Logical, logicalOf, type TensorKind, type ValueAt } from './logical';
import type { drawSample as DrawSample } from './samples/draw-sample';
import type { Generator } from './sources';

/** The program's own pictures are no part of the first download. */
let drawSample: typeof DrawSample | null = null;

/** Makes samples ready. To be awaited before a problem with one is made: whatever else is generated follows at once. */
export async function loadSamples(): Promise<void> {
  drawSample ??= (await import('./samples/draw-sample')).drawSample;
}

const SMALLEST = -3;
const LARGEST = 3;

/** A well mixed 32-bit number of the seed and a position (the finaliser of MurmurHash3 after each part). */
function hash(seed: number, parts: readonly number[]): number {
  let h = seed | 0;
  for (const part of parts) {
    h = Math.imul(h ^ part, 0x85ebca6b);
    h ^= h >>> 13;
    h = Math.imul(h, 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return h >>> 0;
}

function valuesOf(source: Exclude<Generator, { kind: 'sample' }>, { sizes }: Logical): ValueAt {
  switch (source.kind) {
    case 'ramp':
      return (_i, _j, _k, _l, ordinal) => source.from + ordinal;
    case 'countdown':
      return (_i, _j, _k, _l, ordinal) => source.from - ordinal;
    case 'constant':
      return () => source.value;
    case 'random':
      return (i, j, k, l) => SMALLEST + (hash(source.seed, [i, j, k, l]) % (LARGEST - SMALLEST + 1));
    case 'impulse': {
      const [row, col] = [Math.floor(sizes[1] / 2), Math.floor(sizes[2] / 2)];
      return (_i, j, k) => (j === row && k === col ? 1 : 0);
    }
    case 'filter':
      return (p, q, channel, filter) =>
        channel === filter % sizes[2] ? kernelValue(source.name, p, q, sizes[0], sizes[1]) : 0;
  }
}

/** The numbers of a generator for a tensor of `shape` (layout order). The same positions get the same numbers in both layouts. */
export function generate(source: Generator, kind: TensorKind, layout: Layout, shape: Shape): Float32Array {
  const logical = logicalOf(kind, layout, shape);
  if (source.kind !== 'sample') return fill(logical, valuesOf(source, logical));
  if (!drawSample) throw new Error('samples have not been loaded');
  const [, rows, cols, channels] = logical.sizes;
  const picture = drawSample(source.name, rows, cols, channels);
  if (layout === 'nhwc' && logical.sizes[0] === 1) return picture;
  return fill(logical, (_n, i, j, c) => picture[(i * cols + j) * channels + c] ?? 0);
}
