/// <reference path="./gifenc.d.ts" />
import { GIFEncoder } from 'gifenc';
import type { Encoder, FilmForm, Picture } from './messages';
import { createMatcher, paletteOf } from './palette';

/** The most colours that a GIF has, but one for "as before". */
const COLOURS = 255;

/** One palette for all pictures, so that what does not change has the same colour throughout. */
export function gifOf({ width, height }: FilmForm, samples: readonly Picture[]): Encoder {
  const all = new Uint8ClampedArray(samples.length * width * height * 4);
  samples.forEach((sample, i) => {
    all.set(sample, i * width * height * 4);
  });
  const palette = paletteOf(all, COLOURS);
  const match = createMatcher(palette);
  const encoder = GIFEncoder();
  let before: Uint8Array | null = null;
  return {
    async add(picture, time) {
      const index = match(picture);
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

/** Runs of one colour take next to nothing: what is as before is not drawn again. */
function changes(now: Uint8Array, before: Uint8Array, same: number): Uint8Array {
  const changed = now.slice();
  for (let i = 0; i < now.length; i += 1) if (now[i] === before[i]) changed[i] = same;
  return changed;
}
