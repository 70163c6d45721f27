import type { Drawing, Pixels } from '../../../drawing/drawing';
import { SHARPNESS } from '../../../drawing/measure';
import { writeSvg } from '../../../drawing/write-svg';

/** Canvas limits that all browsers support: total pixels and side length. */
const MOST_PIXELS = 16_000_000;
const MOST_SIDE = 8192;

/** Pixels per CSS pixel: 2, or less if a browser could refuse the size. */
export const scaleOf = ({ width, height }: Pick<Drawing, 'width' | 'height'>): number =>
  Math.min(SHARPNESS, Math.sqrt(MOST_PIXELS / (width * height)), MOST_SIDE / width, MOST_SIDE / height);

export const sizeOf = ({ width, height }: Pick<Drawing, 'width' | 'height'>, scale: number) => ({
  width: Math.max(1, Math.round(Math.ceil(width) * scale)),
  height: Math.max(1, Math.round(Math.ceil(height) * scale)),
});

/** The SVG of the drawing as pixels. `size`, in pixels: that of the drawing, or a little larger, as video needs it. */
export async function rasterize(
  drawing: Drawing,
  scale: number,
  size = sizeOf(drawing, scale),
): Promise<CanvasRenderingContext2D> {
  const canvas = Object.assign(document.createElement('canvas'), size);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('the browser provided no canvas');
  const image = new Image();
  const address = URL.createObjectURL(svgOf(drawing));
  try {
    image.src = address;
    await image.decode();
    context.fillStyle = drawing.background;
    context.fillRect(0, 0, size.width, size.height);
    context.drawImage(image, 0, 0, Math.ceil(drawing.width) * scale, Math.ceil(drawing.height) * scale);
  } finally {
    URL.revokeObjectURL(address);
  }
  return context;
}

export async function pngOf(drawing: Drawing): Promise<Blob> {
  const { canvas } = await rasterize(drawing, scaleOf(drawing));
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser created no image'))), 'image/png');
  });
}

export const svgOf = (drawing: Drawing): Blob => new Blob([writeSvg(drawing, encode)], { type: 'image/svg+xml' });

const encode = (pixels: Pixels): string => (pixels instanceof HTMLCanvasElement ? pixels.toDataURL('image/png') : '');
