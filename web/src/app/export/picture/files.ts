import { draw } from '../../../drawing/draw';
import type { Drawing, Pixels } from '../../../drawing/drawing';
import { SHARPNESS } from '../../../drawing/measure';
import { writeSvg } from '../../../drawing/write-svg';

/** What every browser gives a canvas: some refuse more pixels than this, and some a longer side. */
const MOST_PIXELS = 16_000_000;
const MOST_SIDE = 8192;

/** Pixels for one of the page: two, or fewer where a browser might refuse. */
export const scaleOf = ({ width, height }: Pick<Drawing, 'width' | 'height'>): number =>
  Math.min(SHARPNESS, Math.sqrt(MOST_PIXELS / (width * height)), MOST_SIDE / width, MOST_SIDE / height);

/** Draws on a canvas that takes the size that it needs. */
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
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser made no picture'))), 'image/png');
  });
}

export const svgOf = (drawing: Drawing): Blob => new Blob([writeSvg(drawing, encode)], { type: 'image/svg+xml' });

const encode = (pixels: Pixels): string => (pixels instanceof HTMLCanvasElement ? pixels.toDataURL('image/png') : '');
