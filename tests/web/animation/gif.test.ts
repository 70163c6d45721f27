import { expect, it } from 'vitest';
import { createMatcher, paletteOf } from '../../../web/src/animation/gif';

it('keeps the colors of large areas exactly, with any number of edge colors', () => {
  // 100 cells of 400 pixels, each with its own color, and 20,000 pixels with other colors.
  const pixels = new Uint8ClampedArray(4 * 60_000);
  const cell = (i: number) => [90 + i, 20 + 2 * (i % 50), 255 - i] as const;
  for (let at = 0; at < 60_000; at += 1) {
    const edge = at - 40_000;
    const [r, g, b] = at < 40_000 ? cell(Math.floor(at / 400)) : [edge % 251, (edge * 7) % 241, (edge * 13) % 239];
    pixels.set([r, g, b, 255], 4 * at);
  }
  const palette = paletteOf(pixels, 255);
  expect(palette.length).toBeLessThanOrEqual(255);
  const indices = createMatcher(palette)(pixels);
  for (let i = 0; i < 100; i += 1) expect(palette[indices[400 * i + 7] ?? 0]).toEqual(cell(i));
  // The other colors are approximated within a quarter of the range.
  let worst = 0;
  for (let at = 40_000; at < 60_000; at += 1) {
    const [r = 0, g = 0, b = 0] = palette[indices[at] ?? 0] ?? [];
    const [red = 0, green = 0, blue = 0] = pixels.subarray(4 * at);
    worst = Math.max(worst, Math.abs(r - red), Math.abs(g - green), Math.abs(b - blue));
  }
  expect(worst).toBeLessThan(90);
});
