/// <reference path="./gifenc.d.ts" />
import { GIFEncoder } from 'gifenc';
import type { Encoder, FilmForm, FramePixels } from './messages';
import { createMatcher, paletteOf } from './palette';

/** 256 colors, minus one for "unchanged". */
const COLORS = 255;

/** One palette for all frames, so that unchanged areas keep their colors. */
export function gifOf({ width, height }: FilmForm, samples: readonly FramePixels[]): Encoder {
  const all = new Uint8ClampedArray(samples.length * width * height * 4);
  samples.forEach((sample, i) => {
    all.set(sample, i * width * height * 4);
  });
  const palette = paletteOf(all, COLORS);
  const match = createMatcher(palette);
  const encoder = GIFEncoder();
  let before: Uint8Array | null = null;
  return {
    async add(pixels, time) {
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
    async finish() {
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
