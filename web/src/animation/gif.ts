/// <reference path="./gifenc.d.ts" />
import { GIFEncoder, quantize } from 'gifenc';
import type { FramePixels, FrameSize } from './animation';

/** 256 colors, minus one for "unchanged". */
const COLORS = 255;

export interface GifEncoder {
  /** `time`: duration in ms. */
  readonly add: (pixels: FramePixels, time: number) => void;
  readonly finish: () => ArrayBuffer;
}

/** One palette for all frames, so that unchanged areas keep their colors. */
export function gifOf({ width, height }: FrameSize, samples: readonly FramePixels[]): GifEncoder {
  const all = new Uint8ClampedArray(samples.length * width * height * 4);
  samples.forEach((sample, i) => {
    all.set(sample, i * width * height * 4);
  });
  const palette = paletteOf(all, COLORS);
  const match = createMatcher(palette);
  const encoder = GIFEncoder();
  let before: Uint8Array | null = null;
  return {
    add(pixels, time) {
      const index = match(pixels);
      if (!before) encoder.writeFrame(index, width, height, { palette, delay: time, repeat: 0, dispose: 1 });
      else {
        const changed = changes(index, before, palette.length);
        encoder.writeFrame(changed, width, height, {
          ...{ delay: time, dispose: 1, transparent: true, transparentIndex: palette.length },
        });
      }
      before = index;
    },
    finish() {
      encoder.finish();
      return encoder.bytes().slice().buffer;
    },
  };
}

/** Runs of one color compress well: unchanged pixels are written as transparent. */
function changes(now: Uint8Array, before: Uint8Array, same: number): Uint8Array {
  const changed = now.slice();
  for (let i = 0; i < now.length; i += 1) if (now[i] === before[i]) changed[i] = same;
  return changed;
}

type Palette = readonly (readonly [number, number, number])[];

/** Number of exact colors: those of cells, frames and the background, which cover the most. */
const EXACT = 170;
/** Sample size for the other colors: edges of letters and lines. */
const SAMPLE = 400_000;

/** A palette for frames with large flat areas: the areas keep their exact colors, edges are approximated. */
export function paletteOf(pixels: Uint8ClampedArray<ArrayBuffer>, most: number): Palette {
  const colors = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
  const counts = countsOf(colors);
  const frequent = [...counts.entries()].sort((a, b) => b[1] - a[1]).slice(0, EXACT);
  const exact = frequent.map(([color]) => channelsOf(color));
  const kept = new Set(frequent.map(([color]) => color));
  const rest = colors.filter((color) => !kept.has(color));
  if (rest.length === 0) return exact;
  const every = Math.max(1, Math.ceil(rest.length / SAMPLE));
  const some = every === 1 ? rest : rest.filter((_, i) => i % every === 0);
  const others = quantize(new Uint8ClampedArray(some.buffer), most - exact.length, { format: 'rgb565' });
  return [...exact, ...others];
}

function countsOf(colors: Uint32Array): Map<number, number> {
  const counts = new Map<number, number>();
  // Adjacent pixels are mostly equal.
  let [last, run] = [colors[0] ?? 0, 0];
  const note = () => counts.set(last, (counts.get(last) ?? 0) + run);
  for (const color of colors) {
    if (color !== last) {
      note();
      [last, run] = [color, 0];
    }
    run += 1;
  }
  note();
  return counts;
}

/** Red is the lowest byte: image data on all little-endian machines. */
const channelsOf = (color: number) => [color & 255, (color >> 8) & 255, (color >> 16) & 255] as const;

/** Maps each pixel to the nearest color, with a cache. */
export function createMatcher(palette: Palette): (pixels: Uint8ClampedArray<ArrayBuffer>) => Uint8Array {
  const known = new Map<number, number>();
  const nearest = (color: number): number => {
    const found = known.get(color);
    if (found !== undefined) return found;
    const [r, g, b] = channelsOf(color);
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    palette.forEach(([red, green, blue], i) => {
      const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      if (distance < least) [best, least] = [i, distance];
    });
    known.set(color, best);
    return best;
  };
  return (pixels) => {
    const colors = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
    const indices = new Uint8Array(colors.length);
    let [last, index] = [-1, 0];
    for (let i = 0; i < colors.length; i += 1) {
      const color = colors[i] ?? 0;
      if (color !== last) [last, index] = [color, nearest(color)];
      indices[i] = index;
    }
    return indices;
  };
}
