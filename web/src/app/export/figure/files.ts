import { draw } from '../../../drawing/draw';
import type { Drawing, Pixels } from '../../../drawing/drawing';
import { SHARPNESS } from '../../../drawing/measure';
import { writeSvg } from '../../../drawing/write-svg';

/** Canvas limits that all browsers support: total pixels and side length. */
const MOST_PIXELS = 16_000_000;
const MOST_SIDE = 8192;

/** Pixels per CSS pixel: 2, or less if a browser could refuse the size. */
export const scaleOf = ({ width, height }: Pick<Drawing, 'width' | 'height'>): number =>
  Math.min(SHARPNESS, Math.sqrt(MOST_PIXELS / (width * height)), MOST_SIDE / width, MOST_SIDE / height);

/** Resizes the canvas to the drawing, then draws. */
export function drawOn(canvas: HTMLCanvasElement, drawing: Drawing, scale: number): void {
  canvas.width = Math.max(1, Math.round(Math.ceil(drawing.width) * scale));
  canvas.height = Math.max(1, Math.round(Math.ceil(drawing.height) * scale));
  const context = canvas.getContext('2d');
  if (context) draw(context, drawing, scale);
}

export function pngOf(drawing: Drawing): Promise<Blob> {
  const canvas = document.createElement('canvas');
  drawOn(canvas, drawing, scaleOf(drawing));
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser created no image'))), 'image/png');
  });
}

export const svgOf = (drawing: Drawing): Blob => new Blob([writeSvg(drawing, encode)], { type: 'image/svg+xml' });

const encode = (pixels: Pixels): string => (pixels instanceof HTMLCanvasElement ? pixels.toDataURL('image/png') : '');
