import { landscape } from './landscape';
import type { SampleName } from './names';
import type { Painter, Rgb } from './painter';
import { portrait } from './portrait';
import { testChart } from './test-chart';

const PAINTERS: Readonly<Record<SampleName, Painter>> = { landscape, test_chart: testChart, portrait };

/** ITU-R BT.601, as for opened images. */
const luma = ([r, g, b]: Rgb): number => 0.299 * r + 0.587 * g + 0.114 * b;

const clamp = (value: number): number => Math.min(Math.max(value, 0), 1);

/**
 * Draws a sample as [rows, cols, channels] row-major values 0..1, like an opened image. Three channels are red, green
 * and blue; any other number of channels repeats the gray image.
 */
export function drawSample(name: SampleName, rows: number, cols: number, channels: number): Float32Array {
  const paint = PAINTERS[name];
  const data = new Float32Array(rows * cols * channels);
  const scale = 1 / Math.max(Math.min(rows, cols), 1);
  const columns = Array.from({ length: cols }, (_, col) => paint((col + 0.5 - cols / 2) * scale + 0.5));
  let at = 0;
  for (let row = 0; row < rows; row += 1) {
    const v = (row + 0.5 - rows / 2) * scale + 0.5;
    for (const paintColumn of columns) {
      const color = paintColumn(v);
      if (channels === 3) {
        data[at] = clamp(color[0]);
        data[at + 1] = clamp(color[1]);
        data[at + 2] = clamp(color[2]);
      } else {
        data.fill(clamp(luma(color)), at, at + channels);
      }
      at += channels;
    }
  }
  return data;
}
