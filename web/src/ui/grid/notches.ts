import { lutIndex, lutOf, onMap } from '../color-scale';
import { MIN_TEXT_CELL } from '../numbers';
import { type Viewport, valueAt } from './grid-data';
import { type HeatImage, visibleCells } from './heat-canvas';

/** In smaller cells a notch could not be told from a line. In CSS pixels. */
const NOTCHES_FROM = 10;

/**
 * Cuts the top right corner off negative values, in the color of text: where no figure has a minus, the sign would be a hue alone. On a
 * canvas with its map.
 */
export function drawNotches(canvas: HTMLCanvasElement, { data, scale, theme }: HeatImage, view: Viewport): void {
  const context = canvas.getContext('2d');
  if (!context || view.cell < NOTCHES_FROM || view.cell >= MIN_TEXT_CELL) return;
  const { ink } = lutOf(theme, onMap(scale.ramp));
  const side = view.cell / 4;
  const { top, bottom, left, right } = visibleCells(data, view);
  for (let row = top; row < bottom; row += 1) {
    for (let col = left; col < right; col += 1) {
      const value = valueAt(data, { row, col });
      if (!(value < 0)) continue;
      const [x, y] = [(col + 1 - view.col) * view.cell - 0.5, (row - view.row) * view.cell + 0.5];
      context.fillStyle = ink[lutIndex(value, scale)] ?? '';
      context.beginPath();
      context.moveTo(x - side, y);
      context.lineTo(x, y);
      context.lineTo(x, y + side);
      context.fill();
    }
  }
}
