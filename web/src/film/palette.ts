/// <reference path="./gifenc.d.ts" />
import { quantize } from 'gifenc';

export type Palette = readonly (readonly [number, number, number])[];

/** So many colours are kept as they are: those of cells, frames and the ground, which cover the most. */
const EXACT = 170;
/** As many pixels are enough to choose the others by: edges of letters and lines. */
const SAMPLE = 400_000;

/** Colours for pictures of large flat areas: the areas keep theirs exactly, edges get what comes near. */
export function paletteOf(pixels: Uint8ClampedArray<ArrayBuffer>, most: number): Palette {
  const colours = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
  const counts = countsOf(colours);
  const frequent = [...counts.entries()].sort((a, b) => b[1] - a[1]).slice(0, EXACT);
  const exact = frequent.map(([colour]) => channelsOf(colour));
  const kept = new Set(frequent.map(([colour]) => colour));
  const rest = colours.filter((colour) => !kept.has(colour));
  if (rest.length === 0) return exact;
  const every = Math.max(1, Math.ceil(rest.length / SAMPLE));
  const some = every === 1 ? rest : rest.filter((_, i) => i % every === 0);
  const others = quantize(new Uint8ClampedArray(some.buffer), most - exact.length, { format: 'rgb565' });
  return [...exact, ...others];
}

function countsOf(colours: Uint32Array): Map<number, number> {
  const counts = new Map<number, number>();
  // Neighbours are mostly alike.
  let [last, run] = [colours[0] ?? 0, 0];
  const note = () => counts.set(last, (counts.get(last) ?? 0) + run);
  for (const colour of colours) {
    if (colour !== last) {
      note();
      [last, run] = [colour, 0];
    }
    run += 1;
  }
  note();
  return counts;
}

/** Bytes lie red first, as in image data of every machine that runs browsers. */
const channelsOf = (colour: number) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255] as const;

/** Gives each pixel the nearest colour; what was looked up once is known. */
export function createMatcher(palette: Palette): (pixels: Uint8ClampedArray<ArrayBuffer>) => Uint8Array {
  const known = new Map<number, number>();
  const nearest = (colour: number): number => {
    const found = known.get(colour);
    if (found !== undefined) return found;
    const [r, g, b] = channelsOf(colour);
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    palette.forEach(([red, green, blue], i) => {
      const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      if (distance < least) [best, least] = [i, distance];
    });
    known.set(colour, best);
    return best;
  };
  return (pixels) => {
    const colours = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
    const indices = new Uint8Array(colours.length);
    let [last, index] = [-1, 0];
    for (let i = 0; i < colours.length; i += 1) {
      const colour = colours[i] ?? 0;
      if (colour !== last) [last, index] = [colour, nearest(colour)];
      indices[i] = index;
    }
    return indices;
  };
}
