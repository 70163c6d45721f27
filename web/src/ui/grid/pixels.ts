import { type ColorScale, lutIndex, lutOf, onMap, type Theme } from '../color-scale';
import { type GridData, NO_RING } from './grid-data';

/** Converts values to pixels, one per cell, some rows at a time. */

/** Three channels of a photo, 0..1 each. */
export interface PhotoPlanes {
  readonly red: GridData;
  readonly green: GridData;
  readonly blue: GridData;
}

/** About 1 ms of work. */
const PIXELS_A_STEP = 1 << 15;

/** Paints the top left of `canvas` with the colors of a look-up table. */
export function valuePixels(canvas: OffscreenCanvas, data: GridData, scale: ColorScale, theme: Theme): PaintJob {
  const { rgba } = lutOf(theme, onMap(scale.ramp));
  const { values, offset, rowStep, colStep } = data;
  return paintRows(canvas, data, (out, first, row, col, cols) => {
    let at = offset + row * rowStep + col * colStep;
    for (let pixel = first; pixel < first + cols; pixel += 1) {
      out[pixel] = rgba[lutIndex(values[at] ?? 0, scale)] ?? 0;
      at += colStep;
    }
  });
}

export function photoPixels(canvas: OffscreenCanvas, { red, green, blue }: PhotoPlanes): PaintJob {
  const level = (values: Float32Array, at: number) => Math.max(0, Math.min(255, Math.round((values[at] ?? 0) * 255)));
  return paintRows(canvas, red, (out, first, row, col, cols) => {
    const at = ({ values, offset, rowStep, colStep }: GridData, i: number) =>
      level(values, offset + row * rowStep + (col + i) * colStep);
    for (let i = 0; i < cols; i += 1) {
      out[first + i] = (255 << 24) | (at(blue, i) << 16) | (at(green, i) << 8) | at(red, i);
    }
  });
}

/** Every `step`th row and column; the ring, thinner than a pixel, is dropped. */
export function sampled(data: GridData, step: number): GridData {
  if (step === 1) return data;
  const [rows, cols] = [Math.ceil(data.rows / step), Math.ceil(data.cols / step)];
  return { ...data, rows, cols, rowStep: data.rowStep * step, colStep: data.colStep * step, ring: NO_RING };
}

/** Largest canvas side in some browsers. */
const MOST_SIDE = 1 << 14;

/** A part of a map, in cells, and the position (x, y) of its first cell on the canvas, one pixel per cell. */
export type Strip = Readonly<Record<'row' | 'col' | 'rows' | 'cols' | 'x' | 'y', number>>;

/** Cuts a long matrix (x_col of a photo: 50,000 × 27) into strips side by side, so that it fits on a canvas. */
export function canvasStrips(rows: number, cols: number, most = MOST_SIDE): readonly Strip[] {
  const tall = rows > most;
  const count = Math.max(1, Math.ceil((tall ? rows : cols) / most));
  return Array.from({ length: count }, (_, i) =>
    tall
      ? { row: i * most, col: 0, rows: Math.min(most, rows - i * most), cols, x: i * cols, y: 0 }
      : { row: 0, col: i * most, rows, cols: Math.min(most, cols - i * most), x: 0, y: i * rows },
  );
}

type FillRow = (out: Uint32Array, first: number, row: number, col: number, cols: number) => void;

function* paintRows(canvas: OffscreenCanvas, data: GridData, fill: FillRow): PaintJob {
  const strips = canvasStrips(Math.max(1, data.rows), Math.max(1, data.cols));
  // Callers draw only a part of the canvas, so it never shrinks.
  const width = Math.max(canvas.width, ...strips.map(({ x, cols }) => x + cols));
  resize(canvas, width, Math.max(canvas.height, ...strips.map(({ y, rows }) => y + rows)));
  const context = canvas.getContext('2d');
  for (const strip of strips) {
    const most = Math.max(1, Math.floor(PIXELS_A_STEP / strip.cols));
    for (let next = 0; next < strip.rows; next += most) {
      const rows = Math.min(most, strip.rows - next);
      const image = context?.createImageData(strip.cols, rows);
      if (!context || !image) return;
      const out = new Uint32Array(image.data.buffer);
      for (let row = 0; row < rows; row += 1) {
        fill(out, row * strip.cols, strip.row + next + row, strip.col, strip.cols);
      }
      context.putImageData(image, strip.x, strip.y + next);
      yield;
    }
  }
}

/** Sets a size only if it changes: setting it, even to the same value, clears the canvas. */
export function resize(canvas: OffscreenCanvas | HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

/** Yields after about 1 ms of work: three maps of a megapixel in one task would block the page for more than a frame. */
export type PaintJob = Generator<void, void, void>;

const jobs = new Map<object, PaintJob>();
let scheduled = false;

/** Maximum duration of a task in ms, so that input is handled within a frame. */
const BUDGET = 8;

/** A new job of the same owner replaces the old one. */
export function paintLater(owner: object, job: PaintJob): void {
  jobs.set(owner, job);
  if (scheduled) return;
  scheduled = true;
  // After the next frame, so that jobs do not delay the page's own update.
  requestAnimationFrame(() => setTimeout(runSome));
}

/** Cells painted at once in a frame, at most, so that no new numbers are beside old colors: four maps of 512 x 512. */
const AT_ONCE = 1 << 20;

let cellsInFrame = 0;

/** Paints a map in the current frame; beyond AT_ONCE cells, later. */
export function paintMap(owner: object, cells: number, job: PaintJob): void {
  cancelPaint(owner);
  if (cellsInFrame === 0) {
    requestAnimationFrame(() => {
      cellsInFrame = 0;
    });
  }
  cellsInFrame += cells;
  if (cellsInFrame > AT_ONCE) paintLater(owner, job);
  else while (job.next().done !== true);
}

export const cancelPaint = (owner: object) => void jobs.delete(owner);

function runSome() {
  const start = performance.now();
  for (const [owner, job] of jobs) {
    let done = false;
    while (!done && performance.now() - start < BUDGET) done = job.next().done === true;
    if (!done) break;
    if (jobs.get(owner) === job) jobs.delete(owner);
  }
  scheduled = jobs.size > 0;
  if (scheduled) setTimeout(runSome);
}
