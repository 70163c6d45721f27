import { type ColourScale, lutIndex, lutOf, type Theme } from '../colour-scale';
import type { GridData } from './grid-data';
import type { PaintJob } from './paint-queue';

/** Values to pixels, one pixel a cell, some rows at a time. */

/** Three channels of a photograph, 0..1 each. */
export interface PhotoPlanes {
  readonly red: GridData;
  readonly green: GridData;
  readonly blue: GridData;
}

/** About a millisecond's work. */
const PIXELS_A_STEP = 1 << 15;

/** Paints the top left of `canvas` with the colours of a look-up table. `step` skips cells, for thumbnails. */
export function valuePixels(
  canvas: OffscreenCanvas,
  data: GridData,
  scale: ColourScale,
  theme: Theme,
  step: number,
  onDone: () => void,
): PaintJob {
  const { rgba } = lutOf(theme, scale.ramp);
  const { values, offset, rowStep, colStep } = data;
  return paintRows(canvas, data, step, onDone, (out, first, row, cols) => {
    let at = offset + row * rowStep;
    for (let pixel = first; pixel < first + cols; pixel += 1) {
      out[pixel] = rgba[lutIndex(values[at] ?? 0, scale)] ?? 0;
      at += colStep * step;
    }
  });
}

export function photoPixels(canvas: OffscreenCanvas, photo: PhotoPlanes, onDone: () => void): PaintJob {
  const { red, green, blue } = photo;
  const level = (values: Float32Array, at: number) => Math.max(0, Math.min(255, Math.round((values[at] ?? 0) * 255)));
  return paintRows(canvas, red, 1, onDone, (out, first, row, cols) => {
    for (let col = 0; col < cols; col += 1) {
      const r = level(red.values, red.offset + row * red.rowStep + col * red.colStep);
      const g = level(green.values, green.offset + row * green.rowStep + col * green.colStep);
      const b = level(blue.values, blue.offset + row * blue.rowStep + col * blue.colStep);
      out[first + col] = (255 << 24) | (b << 16) | (g << 8) | r;
    }
  });
}

type FillRow = (out: Uint32Array, first: number, row: number, cols: number) => void;

function paintRows(canvas: OffscreenCanvas, data: GridData, step: number, onDone: () => void, fill: FillRow): PaintJob {
  const width = Math.max(1, Math.ceil(data.cols / step));
  const height = Math.max(1, Math.ceil(data.rows / step));
  const batch = Math.max(1, Math.floor(PIXELS_A_STEP / width));
  let next = 0;
  return () => {
    if (next === 0) atLeast(canvas, width, height);
    const context = canvas.getContext('2d');
    const rows = Math.min(batch, height - next);
    const image = context?.createImageData(width, rows);
    if (context && image) {
      const out = new Uint32Array(image.data.buffer);
      for (let row = 0; row < rows; row += 1) fill(out, row * width, (next + row) * step, width);
      context.putImageData(image, 0, next);
    }
    next += rows;
    if (next < height) return false;
    onDone();
    return true;
  };
}

/** Setting a size, even the same one, throws the canvas's memory away. */
export function resize(canvas: OffscreenCanvas | HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

/** A canvas that is too large is no harm: whoever draws it says which part. */
function atLeast(canvas: OffscreenCanvas, width: number, height: number): void {
  resize(canvas, Math.max(canvas.width, width), Math.max(canvas.height, height));
}
