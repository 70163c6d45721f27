import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Files that the page saves. */
export async function saveFile(page: Page, button: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click(),
  ]);
  return readFileSync(await download.path());
}

export interface ImageComparison {
  readonly sizes: readonly [readonly [number, number], readonly [number, number]];
  /** The share of pixels without a similar color nearby in the other image. */
  readonly unmatched: number;
}

/**
 * Compares two images (PNG, or SVG at twice its size) from the first pixel that differs from the background. `page` is
 * any page without a policy.
 */
export async function compareImages(page: Page, a: Buffer, b: Buffer): Promise<ImageComparison> {
  const address = (file: Buffer) =>
    `data:image/${file[0] === 0x89 ? 'png' : 'svg+xml'};base64,${file.toString('base64')}`;
  return page.evaluate(
    async ([first, second]) => {
      const pixelsOf = async (source: string) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const scale = source.startsWith('data:image/svg') ? 2 : 1;
        const canvas = document.createElement('canvas');
        canvas.width = image.naturalWidth * scale;
        canvas.height = image.naturalHeight * scale;
        const context = canvas.getContext('2d', { willReadFrequently: true });
        if (!context) throw new Error('no canvas');
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        const { width, height, data } = context.getImageData(0, 0, canvas.width, canvas.height);
        // Plain loops, and equal pixels first: an image has millions, and an array for each took most of the time.
        const pixels = new Uint32Array(data.buffer);
        const [red = 0, green = 0, blue = 0] = data;
        const ground = pixels[0];
        const isGround = (at: number) =>
          pixels[at] === ground ||
          (Math.abs((data[4 * at] ?? 0) - red) < 12 &&
            Math.abs((data[4 * at + 1] ?? 0) - green) < 12 &&
            Math.abs((data[4 * at + 2] ?? 0) - blue) < 12);
        let [left, top, right, bottom] = [width, height, 0, 0];
        for (let y = 0; y < height; y += 1) {
          for (let x = 0; x < width; x += 1) {
            if (isGround(y * width + x)) continue;
            if (x < left) left = x;
            if (x >= right) right = x + 1;
            if (y < top) top = y;
            if (y >= bottom) bottom = y + 1;
          }
        }
        const at = (x: number, y: number) => (y + top) * width + x + left;
        return { size: [right - left, bottom - top] as const, data, pixels, at };
      };
      const one = await pixelsOf(first);
      const other = await pixelsOf(second);
      const width = Math.min(one.size[0], other.size[0]) - 4;
      const height = Math.min(one.size[1], other.size[1]) - 4;
      type Picture = typeof one;
      const isLike = (p: Picture, at: number, q: Picture, there: number): boolean =>
        p.pixels[at] === q.pixels[there] ||
        (Math.abs((p.data[4 * at] ?? 0) - (q.data[4 * there] ?? 0)) < 64 &&
          Math.abs((p.data[4 * at + 1] ?? 0) - (q.data[4 * there + 1] ?? 0)) < 64 &&
          Math.abs((p.data[4 * at + 2] ?? 0) - (q.data[4 * there + 2] ?? 0)) < 64);
      /** The first pixel of a letter may be too faint in one image, and edges may be between pixels. */
      const isIn = (p: Picture, q: Picture, x: number, y: number): boolean => {
        const at = p.at(x, y);
        for (let dx = -2; dx <= 2; dx += 1) {
          for (let dy = -2; dy <= 2; dy += 1) {
            if (isLike(p, at, q, q.at(x + dx, y + dy))) return true;
          }
        }
        return false;
      };
      let unmatched = 0;
      for (let y = 2; y < height; y += 1) {
        for (let x = 2; x < width; x += 1) {
          // Most pixels are alike at the same place, which counts for both.
          if (isLike(one, one.at(x, y), other, other.at(x, y))) continue;
          if (!isIn(one, other, x, y) || !isIn(other, one, x, y)) unmatched += 1;
        }
      }
      return { sizes: [one.size, other.size] as const, unmatched: unmatched / (width * height) };
    },
    [address(a), address(b)] as const,
  );
}
